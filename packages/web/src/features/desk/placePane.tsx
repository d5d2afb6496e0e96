import { IconMapPins } from "@tabler/icons-react";
import type { Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import type { Call } from "#features/calls/calls.api.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { EmptyState } from "#ui/states.tsx";
import type { DeskActions } from "./actions.ts";
import { Frame } from "./frame.tsx";
import { placesOf } from "./order.ts";
import classes from "./desk.module.css";

interface Props {
  readonly calls: readonly Call[];
  readonly units: readonly Unit[];
  readonly actions: DeskActions;
}

/** Calls and units by place, places with calls first. */
export function PlacePane({ calls, units, actions }: Props) {
  const { t } = useText();
  const places = placesOf(calls, units);
  return (
    <Frame title={t("desk.places.title")} head={t("desk.places.count", { count: places.length })}>
      {places.length === 0 ? (
        <EmptyState icon={IconMapPins} title={t("desk.places.empty.title")} text={t("desk.places.empty.text")} />
      ) : (
        <ScrollArea className={classes["scroll"]} label={t("desk.places.title")}>
          <ul className={classes["places"]} data-pane="places">
            {places.map(({ at, calls: there, units: crews }) => (
              <li key={at}>
                <strong className="rc-number">{at}</strong>
                <span className={classes["at"]}>
                  {there.map((call) => (
                    <button key={call.id} type="button" className={classes["link"]} onClick={() => actions.open(call.id)}>
                      #{call.id} {call.kind === "panic" ? t("desk.calls.panic") : (call.type?.name ?? call.message)}
                    </button>
                  ))}
                  {crews.map(({ unit, home }) => (
                    <span key={unit.id} className={classes["quiet"]}>
                      {unit.callsign ?? unit.name} {home ? t("desk.places.home") : ""}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </ScrollArea>
      )}
    </Frame>
  );
}

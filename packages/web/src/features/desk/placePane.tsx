import { memo, useMemo } from "react";
import { IconMapPins } from "@tabler/icons-react";
import type { Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import type { Call } from "#features/calls/calls.api.ts";
import { EmptyState } from "#ui/states.tsx";
import type { DeskActions } from "./actions.ts";
import { Frame } from "./frame.tsx";
import { type PlaceGroup, placesOf } from "./order.ts";
import { WindowedList } from "./windowed.tsx";
import classes from "./desk.module.css";

interface Props {
  readonly calls: readonly Call[];
  readonly units: readonly Unit[];
  readonly actions: DeskActions;
}

/** Calls and units by place, places with calls first. */
export const PlacePane = memo(PlainPlacePane);

function PlainPlacePane({ calls, units, actions }: Props) {
  const { t } = useText();
  const places = useMemo(() => placesOf(calls, units), [calls, units]);
  return (
    <Frame title={t("desk.places.title")} head={t("desk.places.count", { count: places.length })}>
      {places.length === 0 ? (
        <EmptyState icon={IconMapPins} title={t("desk.places.empty.title")} text={t("desk.places.empty.text")} />
      ) : (
        <WindowedList
          label={t("desk.places.title")}
          count={places.length}
          height={30}
          grows
          pane="places"
          keyOf={(at) => places[at]!.at}
        >
          {(at) => <PlaceRow place={places[at]!} actions={actions} />}
        </WindowedList>
      )}
    </Frame>
  );
}

function PlaceRow({ place: { at, calls, units }, actions }: { readonly place: PlaceGroup<Call>; readonly actions: DeskActions }) {
  const { t } = useText();
  return (
    <div className={classes["place"]}>
      <strong className="rc-number">{at}</strong>
      <span className={classes["at"]}>
        {calls.map((call) => (
          <button key={call.id} type="button" className={classes["link"]} onClick={() => actions.open(call.id)}>
            #{call.id} {call.kind === "panic" ? t("desk.calls.panic") : (call.type?.name ?? call.message)}
          </button>
        ))}
        {units.map(({ unit, home }) => (
          <span key={unit.id} className={classes["quiet"]}>
            {unit.callsign ?? unit.name} {home ? t("desk.places.home") : ""}
          </span>
        ))}
      </span>
    </div>
  );
}

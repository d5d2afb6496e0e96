import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { CallHead } from "./head.tsx";
import type { OwnCall } from "./own.ts";
import classes from "./crew.module.css";

interface NextProps {
  readonly calls: readonly OwnCall[];
  onChoose(callId: number): void;
}

/** The other calls that the unit works; one of them is chosen to say how far it is. */
export function NextCalls({ calls, onChoose }: NextProps) {
  const { t } = useText();
  return (
    <section className={classes["part"]} aria-label={t("crew.next")}>
      <h2>{t("crew.next")}</h2>
      <ul className={classes["list"]}>
        {calls.map(({ call, on }) => (
          <li key={on.id} className={classes["next"]} data-next={call.id}>
            <CallHead call={call} />
            <span className={classes["line"]}>
              <span>{t(`crew.states.${on.state}`)}</span>
              <Button
                variant="default"
                aria-label={t("crew.chooseNamed", { id: `DSP-${call.id}` })}
                onClick={() => onChoose(call.id)}
              >
                {t("crew.choose")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

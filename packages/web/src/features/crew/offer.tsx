import { type CSSProperties, useState } from "react";
import { Button } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { transport } from "#core/services.ts";
import { Countdown, type WorkChanges } from "#features/assignments/assignments.api.ts";
import { CallHead } from "./head.tsx";
import { type OwnCall, remaining } from "./own.ts";
import classes from "./crew.module.css";

interface OfferProps {
  readonly own: OwnCall;
  readonly changes: WorkChanges;
}

/** A call that the unit is asked for. Half the width to decline it, half to accept it. */
export function Offer({ own: { call, on }, changes }: OfferProps) {
  const { t } = useText();
  const { unit, until } = on;
  const named = (key: string) => t(`crew.${key}`, { id: `DSP-${call.id}`, unit: unit.name });
  return (
    <li className={classes["offer"]} data-offer={on.id}>
      <div className={classes["line"]}>
        <strong>{t("crew.offered")}</strong>
        {until !== null && <Countdown until={until} />}
      </div>
      {until !== null && <Bar key={until} since={on.since} until={until} />}
      <CallHead call={call} />
      <div className={classes["two"]} role="group" aria-label={named("answerTo")}>
        <Button
          size="lg"
          variant="default"
          leftSection={<IconX size={20} aria-hidden />}
          disabled={changes.busy || !on.may.includes("decline")}
          onClick={() => void changes.answer(on, false)}
        >
          {t("crew.decline")}
        </Button>
        <Button
          size="lg"
          leftSection={<IconCheck size={20} aria-hidden />}
          disabled={changes.busy || !on.may.includes("accept")}
          onClick={() => void changes.answer(on, true)}
        >
          {t("crew.accept")}
        </Button>
      </div>
    </li>
  );
}

/** Shrinks by itself until the end: the page is not drawn again for it. */
function Bar({ since, until }: { readonly since: number; readonly until: number }) {
  const [{ left, share }] = useState(() => remaining({ since, until }, transport.serverNow()));
  const style = { "--share": share, "--left": `${left}ms` } as CSSProperties;
  return <div className={classes["bar"]} style={style} aria-hidden />;
}

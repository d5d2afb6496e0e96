import { type CSSProperties, useState } from "react";
import { Button } from "@mantine/core";
import { workingStates } from "@rollcall/server/contract/assignments";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { JobTag, TimeAgo, useServerNow } from "#ui/small.tsx";
import type { Call, UnitOnCall, WorkChanges } from "./assignments.queries.ts";
import type { HandBackDialogProps } from "./handBackDialog.tsx";
import classes from "./assignments.module.css";

const HandBackDialog = part<HandBackDialogProps>(["assignments"], () => import("./handBackDialog.tsx"));

interface LineProps {
  readonly on: UnitOnCall;
  /** With several jobs, each unit says of which it is. */
  readonly call: Pick<Call, "id" | "jobs">;
  readonly changes: WorkChanges;
}

/** One unit on a call, how far it is, and what the viewer may do. */
export function UnitLine({ on, call, changes }: LineProps) {
  const { t } = useText();
  const { unit, state, needsHelp, since, until, mine } = on;
  return (
    <li className={classes["unit"]} data-assignment={on.id} data-help={needsHelp || undefined}>
      <span className={classes["line"]}>
        <span className={classes["dot"]} style={{ "--unit": unit.colour } as CSSProperties} />
        <strong>{unit.name}</strong>
        {unit.callsign !== null && unit.callsign !== unit.name && <span className={classes["quiet"]}>{unit.callsign}</span>}
        {call.jobs.length > 1 && <JobTag job={unit.job} />}
        {mine && <span className={classes["mark"]}>{t("assignments.yours")}</span>}
        <span>{t(`assignments.states.${state}`)}</span>
        {needsHelp && <strong className={classes["help"]}>{t("assignments.help.needed")}</strong>}
        {until === null ? (
          <span className={classes["quiet"]}>
            <TimeAgo instant={since} />
          </span>
        ) : (
          <Countdown until={until} />
        )}
      </span>
      <UnitActions on={on} call={call} changes={changes} />
    </li>
  );
}

/** How long an offer is still open. */
export function Countdown({ until }: { readonly until: number }) {
  const { t } = useText();
  const now = useServerNow(1_000);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return <span className="rc-number">{t("assignments.left", { count: seconds })}</span>;
}

interface ActionsProps {
  readonly on: UnitOnCall;
  readonly call: Pick<Call, "id">;
  readonly changes: WorkChanges;
  /** For fingers. */
  readonly large?: boolean;
}

/** What the viewer may do to a unit on a call, as buttons. */
export function UnitActions({ on, call, changes, large = false }: ActionsProps) {
  const { t } = useText();
  const [handing, setHanding] = useState(false);
  const { may, unit, state, needsHelp } = on;
  const named = (key: string) => t(`assignments.named.${key}`, { unit: unit.name, id: `DSP-${call.id}` });
  const common = { size: large ? ("md" as const) : ("compact-md" as const), disabled: changes.busy };
  if (may.length === 0) return null;
  return (
    <div className={classes["actions"]} role="group" aria-label={named("actions")}>
      {may.includes("accept") && (
        <Button {...common} aria-label={named("accept")} onClick={() => void changes.answer(on, true)}>
          {t("assignments.do.accept")}
        </Button>
      )}
      {may.includes("decline") && (
        <Button {...common} variant="default" aria-label={named("decline")} onClick={() => void changes.answer(on, false)}>
          {t("assignments.do.decline")}
        </Button>
      )}
      {may.includes("withdraw") && (
        <Button {...common} variant="default" aria-label={named("withdraw")} onClick={() => void changes.withdraw(on)}>
          {t("assignments.do.withdraw")}
        </Button>
      )}
      {may.includes("progress") &&
        workingStates.map((one) => (
          <Button
            key={one}
            {...common}
            variant={one === state ? "filled" : "default"}
            aria-pressed={one === state}
            onClick={() => void changes.progress(on, one)}
          >
            {t(`assignments.states.${one}`)}
          </Button>
        ))}
      {may.includes("progress") && state !== "offered" && (
        <Button
          {...common}
          variant={needsHelp ? "filled" : "default"}
          aria-pressed={needsHelp}
          onClick={() => void changes.progress(on, state, !needsHelp)}
        >
          {t("assignments.help.needed")}
        </Button>
      )}
      {may.includes("finish") && (
        <Button {...common} variant="default" aria-label={named("finish")} onClick={() => void changes.finish(on)}>
          {t("assignments.do.finish")}
        </Button>
      )}
      {may.includes("handBack") && (
        <Button
          {...common}
          variant="default"
          aria-haspopup="dialog"
          aria-label={named("handBack")}
          onClick={() => setHanding(true)}
        >
          {t("assignments.do.handBack")}
        </Button>
      )}
      {handing && (
        <HandBackDialog
          on={on}
          onDone={() => changes.announce(t("assignments.said.handedBack", { unit: unit.name, id: `DSP-${call.id}` }))}
          onClose={() => setHanding(false)}
        />
      )}
    </div>
  );
}

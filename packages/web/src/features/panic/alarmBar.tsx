import { useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconAlertOctagon, IconBellCheck, IconVolume } from "@tabler/icons-react";
import { panicPermissions, panicPlacesTopic } from "@rollcall/server/contract/panic";
import { useAbilities } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { useStates } from "#core/realtime/useStates.ts";
import { shortAge } from "#core/time.ts";
import { useTitleMark } from "#core/title.ts";
import { useServerNow } from "#ui/small.tsx";
import { CancelButton } from "./cancelButton.tsx";
import { type Panic, usePanicChanges } from "./panic.queries.ts";
import { useSiren } from "./siren.ts";
import classes from "./panic.module.css";

export interface AlarmBarProps {
  readonly items: readonly Panic[];
}

/** After this time an alarm that somebody acknowledged no longer stands above the page. Milliseconds. */
const SHOWN = 15 * 60_000;

/** What rings first, then the own one, then what somebody responds to. */
export default function AlarmBar({ items }: AlarmBarProps) {
  const { t } = useText();
  const now = useServerNow(1_000);
  const ringing = items.filter(({ rings }) => rings);
  const { blocked, unblock } = useSiren(ringing.length > 0);
  const [first] = ringing;
  useTitleMark(first === undefined ? null : `${t("panic.bar.window", { name: nameOf(t, first) })} · `, 1);
  const shown = [
    ...ringing,
    ...items.filter(({ mine }) => mine),
    ...items.filter(({ rings, mine, pressedAt }) => !rings && !mine && now - pressedAt < SHOWN),
  ];
  return (
    <>
      <div role="alert">
        {shown.map((panic) => (
          <Line key={panic.id} panic={panic} now={now} />
        ))}
      </div>
      {blocked && (
        <div className={classes["blocked"]} role="status">
          <span>{t("panic.bar.blocked")}</span>
          <Button size="compact-sm" variant="default" leftSection={<IconVolume size={14} aria-hidden />} onClick={unblock}>
            {t("panic.bar.unblock")}
          </Button>
        </div>
      )}
    </>
  );
}

const nameOf = (t: Translate, { person }: Panic): string => person?.name ?? t("panic.nobody");

function Line({ panic, now }: { readonly panic: Panic; readonly now: number }) {
  const { t } = useText();
  const follows = useAbilities().has(panicPermissions.answer) && !panic.mine;
  const { rings, mine, presses, pressedAt, job } = panic;
  return (
    <div className={classes["alarm"]} data-ringing={rings || undefined} data-panic={panic.id}>
      <IconAlertOctagon size={18} aria-hidden />
      <strong>{t("panic.bar.panic")}</strong>
      {mine ? <span>{t("panic.bar.mine")}</span> : <span>{t("panic.bar.who", { name: nameOf(t, panic), job: job.label })}</span>}
      {follows ? <LivePlace panic={panic} now={now} /> : <span>{placeText(t, panic.lastSeen, now)}</span>}
      {/* Each second would be read out. */}
      <span className="rc-number" aria-hidden>
        {shortAge(Math.max(0, now - pressedAt))}
      </span>
      {presses > 1 && <span>{t("panic.presses", { count: presses })}</span>}
      <span className={classes["answered"]}>{answeredText(t, panic)}</span>
      <Actions panic={panic} now={now} />
    </div>
  );
}

function Actions({ panic, now }: { readonly panic: Panic; readonly now: number }) {
  const { t } = useText();
  const changes = usePanicChanges();
  return (
    <span className={classes["do"]}>
      {panic.may.includes("acknowledge") && (
        <Button
          size="compact-md"
          color="dark"
          loading={changes.busy}
          leftSection={<IconBellCheck size={16} aria-hidden />}
          onClick={() => void changes.acknowledge(panic)}
        >
          {t("panic.acknowledge")}
        </Button>
      )}
      <CancelButton panic={panic} now={now} changes={changes} />
      {(!panic.mine || panic.may.includes("end")) && (
        <Link to="/panic/$id" params={{ id: String(panic.id) }}>
          {t("panic.bar.open")}
        </Link>
      )}
    </span>
  );
}

type Seen = NonNullable<Panic["lastSeen"]>;

/** From this age on, it is said how old a place is. Milliseconds. */
const OLD = 10_000;

export const spotText = (t: Translate, { x, y, postal }: Pick<Seen, "x" | "y" | "postal">): string =>
  postal === null ? `${Math.round(x)}, ${Math.round(y)}` : t("panic.bar.at", { postal });

function placeText(t: Translate, seen: Seen | null, now: number): string {
  if (seen === null) return t("panic.bar.nowhere");
  const age = now - seen.at;
  return spotText(t, seen) + (age > OLD ? ` (${t("panic.bar.old", { age: shortAge(age) })})` : "");
}

const newerOf = (one: Seen | null, other: Seen | null): Seen | null => ((one?.at ?? 0) > (other?.at ?? 0) ? one : other);

/** The present place; once it is no longer known, the last one with its age. */
function LivePlace({ panic, now }: { readonly panic: Panic; readonly now: number }) {
  const { t } = useText();
  const entry = useStates(panicPlacesTopic).entries.find(({ key }) => key === String(panic.id));
  const live = entry === undefined || now >= panic.placeUntil ? null : { ...entry.value, at: entry.at };
  const [kept, keep] = useState<Seen | null>(null);
  // What was shown a moment ago may be newer than what was stored when the page asked.
  if (live !== null && live.at > (kept?.at ?? 0)) keep(live);
  return <span data-live={live === null ? undefined : true}>{placeText(t, live ?? newerOf(kept, panic.lastSeen), now)}</span>;
}

/** Which jobs respond, and which do not yet. */
export function answeredText(t: Translate, { alarms }: Pick<Panic, "alarms">): string {
  return alarms
    .map(({ job, state, by }) =>
      state === "acknowledged"
        ? t("panic.answered", { job: job.label, name: by ?? t("panic.nobody") })
        : t("panic.unanswered", { job: job.label }),
    )
    .join(" · ");
}

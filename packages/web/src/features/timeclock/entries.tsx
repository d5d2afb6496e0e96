import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { cancelCorrection, type Correction, listEntries } from "@rollcall/server/contract/timeclock";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { calendarDay, exactLength, playedTime } from "#core/time.ts";
import { showToast } from "#core/toasts.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import type { CorrectDialogProps } from "./correctDialog.tsx";
import { localTime } from "./range.ts";
import type { Entry } from "./timeclock.queries.ts";
import classes from "./timeclock.module.css";

const CorrectDialog = part<CorrectDialogProps>(["timeclock"], () => import("./correctDialog.tsx"));

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly zone: string;
  onDay(day: string): void;
}

/** Entries with their corrections, the latest first. */
export function Entries({ entries, zone, onDay }: EntriesProps) {
  const { t } = useText();
  const { announcement } = useAnnouncement();
  return (
    <ActionList label={t("timeclock.entryList")} announcement={announcement}>
      {entries.length > 0 && (
        <ul className={classes["list"]} data-entries>
          {entries.map((entry) => (
            <OneEntry key={entry.id} entry={entry} zone={zone} onDay={onDay} />
          ))}
        </ul>
      )}
    </ActionList>
  );
}

/** "20:00 to 22:30", or exactly "20:00:00 to 22:30:07", with the day of an end on another one. */
function useTimes(zone: string) {
  const { t, language } = useText();
  return ({ from, to }: { readonly from: number; readonly to: number }, exact = false): string => {
    const [first, last] = [localTime(from, zone), localTime(to, zone)];
    const clock = (time: string) => time.slice(11, exact ? 19 : 16);
    const day = last.slice(0, 10);
    const end = day === first.slice(0, 10) ? clock(last) : `${calendarDay(day, language)}, ${clock(last)}`;
    return t("timeclock.times", { from: clock(first), to: end });
  };
}

function OneEntry({ entry, zone, onDay }: Omit<EntriesProps, "entries"> & { readonly entry: Entry }) {
  const { t, language } = useText();
  const [correcting, setCorrecting] = useState(false);
  const times = useTimes(zone);
  const day = localTime(entry.from, zone).slice(0, 10);
  const name = `${calendarDay(day, language)}, ${times(entry)}`;
  return (
    <li>
      <div className={classes["about"]}>
        <span className={classes["line"]}>
          <button type="button" className={classes["day"]} onClick={() => onDay(day)}>
            {calendarDay(day, language)}
          </button>
          <span className="rc-number" title={times(entry, true)}>
            {times(entry)}
          </span>
          <strong className="rc-number" title={exactLength(entry.seconds)}>
            {playedTime(entry.seconds)}
          </strong>
        </span>
        <span className={classes["quiet"]}>
          {[
            entry.job.gradeLabel,
            ...(entry.asked ? [t("timeclock.asked")] : []),
            ...(entry.estimated ? [t("timeclock.estimated")] : []),
            ...(entry.state === "counted" ? [] : [t(`timeclock.states.${entry.state}`)]),
          ].join(" · ")}
        </span>
        {entry.corrections.map((one) => (
          <OneCorrection key={one.id} correction={one} times={(interval) => times(interval, true)} />
        ))}
      </div>
      {entry.may.includes("correct") && (
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          aria-label={t("timeclock.correct.named", { entry: name })}
          onClick={() => setCorrecting(true)}
        >
          {t("timeclock.correct.open")}
        </Button>
      )}
      {correcting && <CorrectDialog entry={entry} zone={zone} onClose={() => setCorrecting(false)} />}
    </li>
  );
}

interface OneCorrectionProps {
  readonly correction: Correction;
  times(interval: { readonly from: number; readonly to: number }): string;
}

function OneCorrection({ correction, times }: OneCorrectionProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { id, version, state, kind, oldFrom, oldTo, reason, decision, may } = correction;
  const change =
    kind === "missing"
      ? t("timeclock.missing.asked", { times: times(correction) })
      : t("timeclock.correction.change", { old: times({ from: oldFrom, to: oldTo }), new: times(correction) });
  const cancel = async () => {
    setBusy(true);
    try {
      await api.call(cancelCorrection, { params: { id }, body: { version } });
      showToast({ tone: "success", title: t("timeclock.correction.cancelled") });
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await queries.invalidateQueries({ queryKey: [listEntries.id] });
    setBusy(false);
  };
  return (
    <div className={classes["correction"]} data-state={state}>
      <span>
        {t(kind === "missing" && state === "approved" ? "timeclock.missing.approved" : `timeclock.correction.${state}`)}: {change}
      </span>
      {reason === null ? <span>{t("timeclock.correction.late")}</span> : <span>{reason}</span>}
      {decision !== null && state !== "cancelled" && (
        <span>
          {decision.by === null ? t("timeclock.correction.byGone") : t("timeclock.correction.by", { name: decision.by })}
        </span>
      )}
      {decision?.reason != null && <span>{decision.reason}</span>}
      {may.includes("cancel") && (
        <Button size="compact-sm" variant="default" loading={busy} onClick={() => void cancel()}>
          {t("timeclock.correction.cancel")}
        </Button>
      )}
    </div>
  );
}

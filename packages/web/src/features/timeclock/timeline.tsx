import type { PersonHours } from "@rollcall/server/contract/timeclock";
import { useText } from "#core/i18n.ts";
import { blockOf, localTime } from "./range.ts";
import type { Entry } from "./timeclock.queries.ts";
import classes from "./timeclock.module.css";

/** One day from midnight to midnight; the same as words in the list of entries below. */
export function DayTimeline({ day, entries }: { readonly day: PersonHours; readonly entries: readonly Entry[] }) {
  const { t } = useText();
  const hour = 3_600_000;
  const marks: number[] = [];
  for (let at = day.from; at <= day.until; at += 6 * hour) marks.push(at);
  return (
    <section className={classes["timeline"]} aria-label={t("timeclock.timeline")} data-timeline>
      <div className={classes["track"]} aria-hidden>
        {entries.map((entry) => {
          const { left, width } = blockOf(entry, day);
          const corrected = entry.corrections.some(({ state }) => state === "approved");
          return (
            <span
              key={entry.id}
              data-state={entry.state}
              data-estimated={entry.estimated || undefined}
              data-corrected={corrected || undefined}
              style={{ left: `${left}%`, width: `${width}%` }}
            />
          );
        })}
      </div>
      <div className={classes["scale"]} aria-hidden>
        {marks.map((at) => {
          const left = (100 * (at - day.from)) / (day.until - day.from);
          return (
            <span key={at} className="rc-number" style={{ left: `${left}%`, transform: `translateX(-${left}%)` }}>
              {localTime(at, day.zone).slice(11, 16)}
            </span>
          );
        })}
      </div>
    </section>
  );
}

import type { OutputOf } from "@rollcall/server/contract/core";
import type { listScheduled } from "@rollcall/server/contract/scheduler";

export type Scheduled = OutputOf<typeof listScheduled>["jobs"][number];

/** When a schedule runs, in the time zone of its cron expression. */
export type Rhythm =
  | { readonly kind: "every"; readonly ms: number }
  | { readonly kind: "hourly"; readonly minute: number }
  | { readonly kind: "daily"; readonly time: string }
  /** 0 is Sunday. */
  | { readonly kind: "weekly"; readonly time: string; readonly weekday: number }
  | { readonly kind: "monthly"; readonly time: string; readonly day: number };

const MINUTE = 60_000;
/** Minutes. */
const DAY = 1_440;
const two = (part: number) => String(part).padStart(2, "0");
const numberIn = (part: string | undefined) => (part !== undefined && /^\d+$/.test(part) ? Number(part) : null);
const stepOf = (part: string | undefined) => numberIn(/^\*\/(\d+)$/.exec(part ?? "")?.[1]);

/** Null for an expression that is none of the usual ones. */
export function rhythmOf({ schedule, everyMs }: Pick<Scheduled, "schedule" | "everyMs">): Rhythm | null {
  if (schedule === null) return everyMs === null ? null : { kind: "every", ms: everyMs };
  const [minutes, hours, days, months, weekdays, ...rest] = schedule.trim().split(/\s+/);
  if (months !== "*" || rest.length > 0) return null;
  const everyDay = days === "*" && weekdays === "*";
  const step = stepOf(minutes);
  if (step !== null) return hours === "*" && everyDay ? { kind: "every", ms: step * MINUTE } : null;
  const [minute, hour] = [numberIn(minutes), numberIn(hours)];
  if (minute === null) return null;
  if (hour === null) return hours === "*" && everyDay ? { kind: "hourly", minute } : null;
  const time = `${two(hour)}:${two(minute)}`;
  const [day, weekday] = [numberIn(days), numberIn(weekdays)];
  if (everyDay) return { kind: "daily", time };
  if (days === "*" && weekday !== null) return { kind: "weekly", time, weekday: weekday % 7 };
  return weekdays === "*" && day !== null ? { kind: "monthly", time, day } : null;
}

/**
 * The time of a rhythm in the zone of this browser. Runs begin a little after it, each schedule by a time of its own,
 * so the next run says only how far the zones are apart.
 */
export function ownTime(time: string, next: number, zone: string, own?: string): string {
  const minutesOf = (text: string) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const inZone = (timeZone: string | undefined) =>
    minutesOf(new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone }).format(next));
  const minutes = (minutesOf(time) + inZone(own) - inZone(zone) + DAY) % DAY;
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const FAILED: readonly string[] = ["failed", "lost"];

/** Whether the last run that ended went wrong. */
export function hasFailed({ runs }: Pick<Scheduled, "runs">): boolean {
  const last = runs.find(({ outcome }) => !["requested", "waiting", "running", "skipped", "held"].includes(outcome));
  return last !== undefined && FAILED.includes(last.outcome);
}

/** Those that failed first, then by their next run; those without one last. */
export function inOrder(jobs: readonly Scheduled[]): Scheduled[] {
  const nextOf = ({ next }: Scheduled) => next ?? Infinity;
  return jobs.toSorted((a, b) => {
    const failed = Number(hasFailed(b)) - Number(hasFailed(a));
    return failed === 0 && nextOf(a) !== nextOf(b) ? nextOf(a) - nextOf(b) : failed;
  });
}

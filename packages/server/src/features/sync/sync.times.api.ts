import { days } from "#core/contract/index.ts";

/** Reports of the game are kept for this long; an instant that is older is a mistake. Milliseconds. */
export const oldestReportMs = days(30);

const secondsProblem = "is in milliseconds since 1970; this looks like seconds, so multiply it by 1000";
const tooFineProblem = "is in milliseconds since 1970; this looks like microseconds or a later year";

/** What is wrong with an instant that a game server sent; null where it is one that may be. Which clocks are ahead is for the caller. */
export function instantProblem(at: number, now: number): string | null {
  if (at > now + days(365)) return tooFineProblem;
  if (at >= now - oldestReportMs) return null;
  const looksLikeSeconds = at * 1000 >= now - days(3650) && at * 1000 <= now + days(365);
  return looksLikeSeconds
    ? secondsProblem
    : "is older than 30 days; send milliseconds since 1970, and set the clock of the game server";
}

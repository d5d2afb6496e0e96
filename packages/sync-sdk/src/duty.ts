import { randomBytes } from "node:crypto";
import type { DutySyncBody } from "./generated/types.ts";
import type { Timing } from "./retry.ts";

type Item = DutySyncBody["items"][number];

/** What happened to one character. `at` is now when it is left out, and `key` is made by the client. */
export type DutyEvent = Omit<Item, "at" | "key"> & Partial<Pick<Item, "at" | "key">>;

/** Rollcall takes instants that are so far ahead of its own clock, and counts them as now. Milliseconds. */
export const mostAheadMs = 5 * 60_000;

/**
 * Milliseconds UTC by the clock of the machine. It follows a clock that is set forward at once. Set back a little, it
 * stands still until that time comes, so that events stay in their order; set back by more than Rollcall accepts, it
 * follows too, because what was sent before was refused.
 */
export function createSteadyClock(timing: Pick<Timing, "date">): () => number {
  let last = 0;
  return () => {
    const now = Math.round(timing.date());
    last = last - now > mostAheadMs ? now : Math.max(last, now);
    return last;
  };
}

/** Names each event, so that one that is sent again, also by a later process, has no second effect. */
export function createDutyNaming(clock: () => number): (events: readonly DutyEvent[]) => Item[] {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return (events) =>
    events.map((event) => {
      count += 1;
      const { at = clock(), key = `${prefix}-${count}` } = event;
      return { ...event, at, key };
    });
}

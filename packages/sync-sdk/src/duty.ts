import { randomBytes } from "node:crypto";
import type { DutySyncBody } from "./generated/types.ts";
import type { Timing } from "./retry.ts";

type Item = DutySyncBody["items"][number];

/** What happened to one character. `at` is now when it is left out, and `key` is made by the client. */
export type DutyEvent = Omit<Item, "at" | "key"> & Partial<Pick<Item, "at" | "key">>;

/** Milliseconds UTC that never go back, although the clock of the machine may be set back. */
export function createSteadyClock(timing: Pick<Timing, "now" | "date">): () => number {
  const start = timing.date() - timing.now();
  let last = 0;
  return () => (last = Math.max(last, Math.round(start + timing.now())));
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

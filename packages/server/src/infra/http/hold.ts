import type { Clock } from "#core/ports/clock.ts";

/** Refusals a second that are answered at once: somebody who mistypes waits for nothing. */
const atOnce = 20;
/** How long the others are held, so that who asks again and again over a line does so more slowly. */
const heldMs = 250;
/** Held at the same time; more are answered at once rather than kept in memory. */
const mostHeld = 2000;

/** Slows a flood of refused sign-ins down: its refusals cost more than nothing only to whoever causes them. */
export function createHold(clock: Clock): () => Promise<void> {
  let second = 0;
  let refused = 0;
  let held = 0;
  return async function hold() {
    const now = Math.floor(clock.monotonic() / 1000);
    if (now !== second) [second, refused] = [now, 0];
    refused += 1;
    if (refused <= atOnce || held >= mostHeld) return;
    held += 1;
    await clock.sleep(heldMs);
    held -= 1;
  };
}

import { randomBytes } from "node:crypto";
import type { Clock, Ids } from "#core/ports/clock.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const randomLength = 16;

function encodeTime(ms: number): string {
  let rest = ms;
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = alphabet[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Adds one to base-32 digits, so that ids of one millisecond stay in order. */
function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i]! < 31) {
      digits[i]! += 1;
      return;
    }
    digits[i] = 0;
  }
}

/**
 * Ids of 26 characters: 10 of milliseconds UTC, 16 random, in Crockford's base 32. Those of one
 * process always increase, also within a millisecond and when the clock steps back.
 */
export function createIds(clock: Clock): Ids {
  let lastMs = 0;
  let digits: number[] = [];
  return {
    next() {
      const now = clock.now();
      if (now > lastMs) {
        lastMs = now;
        digits = Array.from(randomBytes(randomLength), (byte) => byte & 31);
      } else {
        increment(digits);
      }
      return encodeTime(lastMs) + digits.map((d) => alphabet[d]!).join("");
    },
    secret: (bytes) => randomBytes(bytes).toString("base64url"),
  };
}

import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { UploadTooLarge, UploadTooSlow } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { ManualClock } from "#infra/log/log.testkit.ts";
import { createUploads } from "./uploads.ts";

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("rollcall-upload-"));
async function* chunks(bytes: Uint8Array, length = 10_000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test("an upload is counted, hashed and readable again, and its file has no name", async () => {
  const bytes = randomBytes(1_000_000);
  const spooled = await createUploads(systemClock).take(chunks(bytes), 1_000_000);
  expect(leftovers()).toEqual([]);
  expect(spooled.size).toBe(1_000_000);
  expect(spooled.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(Buffer.from(spooled.head).equals(bytes.subarray(0, 4096))).toBe(true);
  for (let round = 0; round < 2; round += 1) {
    const again: Uint8Array[] = [];
    for await (const part of spooled.bytes()) again.push(part);
    expect(Buffer.concat(again).equals(bytes)).toBe(true);
  }
  await spooled.close();
});

test("an upload ends with the chunk that exceeds the limit", async () => {
  let given = 0;
  async function* endless() {
    for (;;) yield randomBytes((given += 1) && 1000);
  }
  await expect(createUploads(systemClock).take(endless(), 10_000)).rejects.toBeInstanceOf(UploadTooLarge);
  expect(given).toBe(11);
  const empty = await createUploads(systemClock).take(chunks(Buffer.alloc(0)), 10);
  expect([empty.size, empty.head.length]).toEqual([0, 0]);
  await empty.close();
});

/** A clock that tests advance, including its monotonic time. */
function handClock() {
  const hand = new ManualClock(0);
  return { ...systemClock, hand, monotonic: () => hand.now(), setTimeout: hand.setTimeout.bind(hand) };
}

test("an upload that stalls or is too slow is ended", async () => {
  const clock = handClock();
  const still = createUploads(clock).take(
    { [Symbol.asyncIterator]: () => ({ next: async () => await new Promise(() => undefined) }) },
    10,
  );
  const ended = expect(still).rejects.toBeInstanceOf(UploadTooSlow);
  while (clock.hand.pending === 0) await new Promise(setImmediate);
  clock.hand.advance(20_001);
  await ended;

  let sent = 0;
  async function* trickle() {
    for (;;) {
      clock.hand.advance(15_000);
      sent += 1;
      yield Buffer.from("x");
    }
  }
  await expect(createUploads(clock).take(trickle(), 1_600_000)).rejects.toBeInstanceOf(UploadTooSlow);
  expect(sent).toBeLessThan(14);
});

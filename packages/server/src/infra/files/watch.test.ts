import { expect, test } from "vitest";
import { type Storage, StorageUnavailable } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createHealth } from "#infra/health.ts";
import { ManualClock } from "#infra/log/log.testkit.ts";
import { recordingLog } from "#testkit/silence.ts";
import { createStorageWatch, StorageRefused } from "./watch.ts";

function watched(announced = false) {
  const hand = new ManualClock(0);
  const clock = { ...systemClock, now: () => hand.now(), setTimeout: hand.setTimeout.bind(hand) };
  const [health, log] = [createHealth(clock), recordingLog()];
  let down = false;
  const storage = {
    clean: async () => 0,
    async probe() {
      if (down) throw new StorageUnavailable("cannot write: disk full");
    },
  } as unknown as Storage;
  const watch = createStorageWatch({ storage, owned: () => true, health, clock, log, announced, location: "/data" });
  return {
    watch,
    health,
    log,
    set: (isDown: boolean) => void (down = isDown),
    state: () => health.parts().find(({ part }) => part === "storage"),
    async advance(ms: number) {
      hand.advance(ms);
      while (hand.pending === 0) await new Promise(setImmediate);
    },
  };
}

test("an outage and the recovery of the storage are each reported once", async () => {
  const { watch, log, set, state, advance } = watched();
  await watch.start(false);
  expect(state()).toMatchObject({ state: "ok", reason: null });
  set(true);
  await advance(60_000);
  expect(state()).toMatchObject({ state: "degraded", reason: "/data: cannot write: disk full" });
  await advance(5000);
  set(false);
  await advance(5000);
  expect(state()?.state).toBe("ok");
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ["warn", "uploads do not work: /data: cannot write: disk full"],
    ["info", "uploads work again"],
  ]);
  watch.close();
});

test("a refused upload makes the storage be probed again at once, not a minute later", async () => {
  const { watch, health, set, state, advance } = watched();
  await watch.start(false);
  set(true);
  health.doubt("storage");
  health.doubt("storage");
  await advance(250);
  expect(state()).toMatchObject({ state: "degraded", reason: "/data: cannot write: disk full" });
  watch.close();
});

test("uploads that are refused all the time do not put the probe off", async () => {
  const { watch, health, set, state, advance } = watched();
  await watch.start(false);
  set(true);
  for (let i = 0; i < 5; i += 1) {
    health.doubt("storage");
    await advance(100);
  }
  expect(state()?.state).toBe("degraded");
  watch.close();
});

test("a failure that the start warned about is not logged again, and a required storage refuses the start", async () => {
  const announced = watched(true);
  announced.set(true);
  await announced.watch.start(false);
  expect([announced.state()?.state, announced.log.lines]).toEqual(["degraded", []]);
  announced.watch.close();
  const required = watched();
  required.set(true);
  await expect(required.watch.start(true)).rejects.toThrow(StorageRefused);
  required.watch.close();
});

import { describe, expect, it } from "vitest";
import { encodeStateFrame, stateFields, type StateFrame } from "@rollcall/server/contract/core";
import { presenceTopic } from "@rollcall/server/contract/realtime";
import { testClock } from "#core/testkit.ts";
import { createStates } from "./states.ts";
import type { TopicListener } from "./topics.ts";

const fields = stateFields(presenceTopic.message);
const ada = { characterId: 12, name: "Ada Berg", grade: 3, since: 1_790_000_000_000 };
const frame = (given: Partial<StateFrame>) =>
  encodeStateFrame(fields, { channel: 1, full: false, at: 1_790_000_000_000, removed: [], entries: [], ...given });
const full = frame({ full: true, entries: [{ index: 0, key: "12/a", ageMs: 3_000, fields: ada }] });

function place() {
  const clock = testClock();
  const listeners: TopicListener[] = [];
  let listening = 0;
  const topics = {
    listen(_name: string, listener: TopicListener) {
      listeners.push(listener);
      listening += 1;
      return () => void (listening -= 1);
    },
  };
  const states = createStates(topics, clock);
  const moving = { ...presenceTopic, moves: { grade: "line" } } as const;
  return { clock, state: () => states.of(moving, "police"), listeners, listening: () => listening };
}

describe("the state of a topic", () => {
  it("is known at once to who shows it second, with the age of each value", () => {
    const { state, listeners } = place();
    state().subscribe(() => undefined);
    listeners[0]!.onFrame!(full);
    const second = state();
    second.subscribe(() => undefined);
    expect(listeners).toHaveLength(1);
    expect(second.now().known).toBe(true);
    expect(second.now().values.get("12/a")).toEqual({ value: ada, at: 1_790_000_000_000 - 3_000 });
  });

  it("keeps what it shows while a full frame is on its way, and nothing after the right ended", () => {
    const { state, listeners } = place();
    state().subscribe(() => undefined);
    listeners[0]!.onFrame!(full);
    listeners[0]!.onSnapshot({ epoch: "e", seq: 1 }, false);
    expect([state().now().known, state().now().values.size]).toEqual([false, 1]);
    expect(state().tracks.at("12/a", 0)).toEqual({ grade: 3 });
    listeners[0]!.onSnapshot(null, true);
    expect([state().now().known, state().now().values.size]).toEqual([false, 0]);
    expect(state().tracks.at("12/a", 0)).toBeUndefined();
  });

  it("keeps fields that a later frame leaves out, and tells of each frame", () => {
    const { state, listeners } = place();
    let told = 0;
    state().subscribe(() => (told += 1));
    listeners[0]!.onFrame!(full);
    listeners[0]!.onFrame!(frame({ entries: [{ index: 0, key: null, ageMs: 0, fields: { grade: 4 } }] }));
    expect(state().now().values.get("12/a")?.value).toEqual({ ...ada, grade: 4 });
    expect(told).toBe(2);
  });

  it("is followed on for a moment when nobody shows it, for the next page", async () => {
    const { state, listeners, listening, clock } = place();
    const stop = state().subscribe(() => undefined);
    listeners[0]!.onFrame!(full);
    stop();
    await clock.advance(9_000);
    const again = state().subscribe(() => undefined);
    expect([listening(), state().now().values.size]).toEqual([1, 1]);
    again();
    await clock.advance(11_000);
    expect([listening(), state().now().values.size]).toEqual([0, 0]);
  });
});

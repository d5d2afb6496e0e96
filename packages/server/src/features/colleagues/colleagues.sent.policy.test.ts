import { expect, test } from "vitest";
import { keyOf, type Recorded, seenBefore, sentBefore, togetherMs } from "./colleagues.sent.policy.ts";

const now = 1_790_000_000_000;
const seen: Recorded = {
  id: 1,
  citizen_id: 12,
  job: "police",
  kind: "promoted",
  at: now - 60_000,
  actor_id: null,
  reason: null,
  game_key: null,
  unseen: 0,
};
const sent: Recorded = { ...seen, id: 2, game_key: "a key", unseen: 1 };
const wanted = { citizenId: 12, job: "police", kind: "promoted", actorId: null } as const;

test("what Rollcall saw takes who did it, once and within its time", () => {
  expect(seenBefore([seen], wanted, now)?.id).toBe(1);
  expect(seenBefore([seen, { ...seen, id: 3 }], wanted, now)?.id).toBe(3);
  expect(seenBefore([{ ...seen, at: now - togetherMs }], wanted, now)?.id).toBe(1);
});

test.each<[string, Partial<Recorded>]>([
  ["of another person", { citizen_id: 13 }],
  ["in another job", { job: "ambulance" }],
  ["of another kind", { kind: "demoted" }],
  ["too long ago", { at: now - togetherMs - 1 }],
  ["with a reason", { reason: "Asked for here" }],
  ["that the game sent itself", { game_key: "a key" }],
])("an activity %s stays as it is", (_what, other) => {
  expect(seenBefore([{ ...seen, ...other }], wanted, now)).toBeNull();
});

test("what somebody asked for from here is what the game reports without a name, or with theirs", () => {
  const asked = { ...seen, id: 4, actor_id: 7, reason: "Passed the exam" };
  expect(seenBefore([asked], wanted, now)?.id).toBe(4);
  expect(seenBefore([asked, seen], { ...wanted, actorId: 7 }, now)?.id).toBe(4);
  expect(seenBefore([asked], { ...wanted, actorId: 8 }, now)).toBeNull();
  expect(seenBefore([{ ...asked, game_key: "a key" }], wanted, now)).toBeNull();
  expect(sentBefore([sent], { ...wanted, actorId: 7 }, now)?.id).toBe(2);
  expect(sentBefore([{ ...sent, actor_id: 8 }], { ...wanted, actorId: 7 }, now)).toBeNull();
});

test("a remark belongs to nothing that was seen", () => {
  expect(seenBefore([{ ...seen, kind: "remark" }], { ...wanted, kind: "remark" }, now)).toBeNull();
});

test("what the game said first waits for what Rollcall sees, and only so long", () => {
  expect(sentBefore([seen, sent], wanted, now)?.id).toBe(2);
  expect(sentBefore([{ ...sent, unseen: 0 }], wanted, now)).toBeNull();
  expect(sentBefore([{ ...sent, at: now - togetherMs - 1 }], wanted, now)).toBeNull();
  expect(sentBefore([sent], { ...wanted, kind: "left" }, now)).toBeNull();
});

test("keys of two sources do not meet", () => {
  const keys = [keyOf("a", "b c"), keyOf("a b", "c"), keyOf("a b c", "")];
  expect(new Set(keys).size).toBe(3);
});

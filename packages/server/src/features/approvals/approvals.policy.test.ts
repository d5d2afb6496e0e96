import { describe, expect, test } from "vitest";
import type { ApprovalHandler, Decider } from "#core/ports/index.ts";
import {
  afterApproval,
  type Caller,
  checkSpan,
  checkSteps,
  decides,
  type Lent,
  lockTurns,
  nextReminder,
  requireOpen,
  type Standing,
  accountsIn,
  standpointOf,
  stateAt,
} from "./approvals.policy.ts";

const who: Standing = {
  accountId: 1,
  characterId: 11,
  job: "police",
  grade: 3,
  permissions: ["a.sign"],
  configAdmin: false,
  jobAdmin: false,
};

describe("who decides a step", () => {
  test.each<[Decider, Partial<Standing>, boolean]>([
    [{ by: "configAdmins" }, {}, false],
    [{ by: "configAdmins" }, { configAdmin: true }, true],
    [{ by: "right", permission: "a.sign" }, {}, true],
    [{ by: "right", permission: "a.sign" }, { permissions: [] }, false],
    [{ by: "right", permission: "a.sign", job: "police" }, {}, true],
    [{ by: "right", permission: "a.sign", job: "justice" }, {}, false],
    [{ by: "right", permission: "a.sign", job: "police", grades: { from: 3, to: 3 } }, {}, true],
    [{ by: "right", permission: "a.sign", job: "police", grades: { from: 4, to: 5 } }, {}, false],
    [{ by: "right", permission: "a.sign", job: "police", grades: { from: 1, to: 2 } }, {}, false],
    [{ by: "jobAdmins", job: "police" }, {}, false],
    [{ by: "jobAdmins", job: "police" }, { jobAdmin: true }, true],
    [{ by: "jobAdmins", job: "justice" }, { jobAdmin: true }, false],
    [{ by: "grade", job: "police", minGrade: 3 }, {}, true],
    [{ by: "grade", job: "police", minGrade: 4 }, {}, false],
    [{ by: "grade", job: "justice", minGrade: 0 }, {}, false],
    [{ by: "citizen", id: 11 }, {}, true],
    [{ by: "citizen", id: 12 }, {}, false],
  ])("%j by %j: %s", (decider, change, yes) => {
    expect(decides(decider, { ...who, ...change })).toBe(yes);
  });
});

describe("in whose right a step is decided", () => {
  const boss: Standing = { ...who, accountId: 2, characterId: 22, grade: 9 };
  const lent: Lent = { delegationId: 5, kinds: ["x.leave"], standing: boss, name: "Boss" };
  const caller: Caller = { own: who, lent: [lent] };
  const step = (minGrade: number, requesterAccountId: number | null = 7, kind = "x.leave", before: number[] = []) => ({
    kind,
    requesterAccountId,
    before,
    deciders: [{ by: "grade", job: "police", minGrade } as const],
    now: null,
  });

  test("the chain and who decides now have to agree, and accounts that never decide it do not", () => {
    const now = (minGrade: number, never: number[] = []) => {
      return { deciders: [{ by: "grade", job: "police", minGrade } as const], never };
    };
    expect(standpointOf(caller, { ...step(3), now: now(3) })).toEqual({ as: "own" });
    expect(standpointOf(caller, { ...step(3), now: now(9) })).toEqual({ as: "lent", from: lent });
    expect(standpointOf(caller, { ...step(9), now: now(3) })).toEqual({ as: "lent", from: lent });
    expect(standpointOf(caller, { ...step(3), now: now(10) })).toBeNull();
    expect(standpointOf(caller, { ...step(3), now: now(3, [who.accountId]) })).toBeNull();
    expect(standpointOf(caller, { ...step(9), now: now(9, [boss.accountId]) })).toBeNull();
  });

  test("the own right comes first, then what was lent for this kind", () => {
    expect(standpointOf(caller, step(3))).toEqual({ as: "own" });
    expect(standpointOf(caller, step(9))).toEqual({ as: "lent", from: lent });
    expect(standpointOf(caller, step(9, 7, "x.other"))).toBeNull();
    expect(standpointOf(caller, step(10))).toBeNull();
  });

  test("nobody decides two steps of a chain, in neither right", () => {
    expect(standpointOf(caller, step(3, 7, "x.leave", [4]))).toEqual({ as: "own" });
    expect(standpointOf(caller, step(3, 7, "x.leave", [who.accountId]))).toBeNull();
    expect(standpointOf(caller, step(9, 7, "x.leave", [boss.accountId]))).toBeNull();
    expect(
      accountsIn([
        { account_id: 1, on_behalf_account_id: null },
        { account_id: null, on_behalf_account_id: 2 },
      ]),
    ).toEqual([1, 2]);
  });

  test("neither the requester decides, nor a delegate of the requester", () => {
    expect(standpointOf(caller, step(3, 1))).toBeNull();
    expect(standpointOf(caller, step(9, 1))).toBeNull();
    expect(standpointOf(caller, step(9, 2))).toBeNull();
    expect(standpointOf(caller, step(3, 2))).toEqual({ as: "own" });
    expect(standpointOf(caller, step(3, null))).toEqual({ as: "own" });
  });
});

test("a request past its time is expired before the worker notes it; one that ended stays what it is", () => {
  expect(stateAt({ state: "open", expires_at: 100 }, 99)).toBe("open");
  expect(stateAt({ state: "open", expires_at: 100 }, 100)).toBe("expired");
  expect(stateAt({ state: "open", expires_at: null }, 100)).toBe("open");
  expect(stateAt({ state: "approved", expires_at: 100 }, 200)).toBe("approved");
});

test("a request that ended is refused by an error that names its state", () => {
  for (const state of ["approved", "refused", "withdrawn", "expired"] as const)
    expect(() => requireOpen(state)).toThrow(`approvals.${state}`);
  expect(() => requireOpen("open")).not.toThrow();
});

test("only the last step approves the request", () => {
  expect([afterApproval(0, 3), afterApproval(1, 3), afterApproval(2, 3), afterApproval(0, 1)]).toEqual([
    "open",
    "open",
    "approved",
    "approved",
  ]);
});

const hour = 3_600_000;

test("the first reminder comes after the time of the kind, later ones at most daily", () => {
  expect(nextReminder(1000, hour, 0)).toBe(1000 + hour);
  expect(nextReminder(1000, hour, 1)).toBe(1000 + 24 * hour);
  expect(nextReminder(1000, 48 * hour, 3)).toBe(1000 + 48 * hour);
});

test("a delegation has a length, an end in the future, and a longest time", () => {
  const now = 1_000_000_000_000;
  const day = 24 * hour;
  expect(() => checkSpan({ from: now, until: now + 92 * day }, now)).not.toThrow();
  expect(() => checkSpan({ from: now - 300 * day, until: now + day }, now)).not.toThrow();
  for (const [from, until] of [
    [now, now],
    [now + day, now + day],
    [now - 2 * day, now - day],
    [now, now + 93 * day],
  ] as const)
    expect(() => checkSpan({ from, until }, now)).toThrow("approvals.delegationSpan");
});

test("a chain that nobody could decide is a fault", () => {
  expect(() => checkSteps("x.y", [])).toThrow("without steps");
  expect(() => checkSteps("x.y", [[{ by: "configAdmins" }], []])).toThrow("without deciders");
  expect(() => checkSteps("x.y", [[{ by: "configAdmins" }]])).not.toThrow();
});

test("what requests are about is locked in one order, and once where several kinds lock the same", () => {
  const [hours, absences] = [async () => undefined, async () => undefined];
  const handler = (id: string, lock: ApprovalHandler["lock"]) => ({ approval: { id } as ApprovalHandler["approval"], lock });
  const handlers = [
    handler("hours.missing", hours),
    handler("documents.sign", null),
    handler("absences.request", absences),
    handler("a.correction", hours),
  ];
  const rows = (...kinds: string[]) => kinds.map((kind, at) => ({ kind, subject: String(at + 1) }));
  expect(lockTurns(handlers, rows("hours.missing", "absences.request", "documents.sign", "a.correction", "gone.kind"))).toEqual([
    { lock: hours, subjects: ["1", "4"] },
    { lock: absences, subjects: ["2"] },
  ]);
  // The turn of a function is that of its first kind, also when no such request is there.
  expect(lockTurns(handlers, rows("absences.request", "hours.missing")).map(({ lock }) => lock)).toEqual([hours, absences]);
});

// Section 2 without merge and split: create, fold, panic, ends, reopen, hand over.
import type { Call, Caller, CommandOf, Id, Place, Result, World } from "./assignments.types.model.testkit.ts";
import type { Demand, Effect, Sure } from "./assignments.base.model.testkit.ts";
import { SYSTEM } from "./assignments.types.model.testkit.ts";
import {
  all,
  any,
  atLeast,
  decide,
  endCall,
  IDLE,
  isD,
  isDOfJob,
  isPerson,
  isS,
  isU,
  leaveJobs,
  levelOf,
  patchCall,
  signedOn,
  sure,
  touch,
  touchPerhaps,
  unique,
  unitOf,
  unlessSure,
  workingOf,
} from "./assignments.base.model.testkit.ts";

const FOLD_METRES = 45;
const FOLD_SECONDS = 180;
const gone = (world: World): Result => ({ world, outcome: { kind: "refused", reasons: ["notFound", "notAllowed"] } });
export const callOpen = (call: Call): Demand => [sure(call.state === "open"), "wrongState"];
export const callersOf = (world: World, call: Call): Caller[] => [
  ...call.callers,
  ...Object.values(world.calls)
    .filter((other) => other.state === "merged" && other.merge?.into === call.id)
    .flatMap((other) => callersOf(world, other)),
];

const alertsOf = (world: World, person: Id, kinds: readonly string[], seconds: number): number =>
  world.alerts.filter((a) => a.person === person && kinds.includes(a.kind) && world.now < a.at + seconds).length;

type NewCall = Pick<Call, "type" | "panic" | "jobs" | "priority" | "place" | "callers"> & Partial<Call>;
export const addCall = (world: World, fields: NewCall): World => {
  const id = `c${world.next}`;
  const call: Call = {
    id,
    order: world.next,
    state: "open",
    ended: null,
    endedAt: null,
    createdAt: world.now,
    viewers: [],
    leaving: [],
    callersKnown: true,
    lastAlert: world.now,
    notes: 0,
    waitSince: world.now,
    idle: fields.panic ? null : { from: world.now + IDLE, to: world.now + IDLE },
    reopenedAt: null,
    accepted: [],
    workedAtEnd: [],
    links: [],
    splitFrom: null,
    merge: null,
    handover: null,
    ...fields,
  };
  return { ...world, next: world.next + 1, calls: { ...world.calls, [id]: call } };
};

const sameJobs = (a: readonly Id[], b: readonly Id[]): boolean => a.length === b.length && a.every((job) => b.includes(job));
const near = (a: Place, b: Place): boolean => Math.hypot(a.x - b.x, a.y - b.y) <= FOLD_METRES;

/** "same type and job set, within 45 m of the call and 180 s of its last alert; without a place only from the same caller". */
const folds = (world: World, c: CommandOf<"create">, call: Call): Sure => {
  if (call.state !== "open" || call.panic || call.type !== c.type || !sameJobs(call.jobs, unique(c.jobs))) return "no";
  const sameCaller =
    c.caller !== null && (!call.callersKnown || callersOf(world, call).some((caller) => caller.person === c.caller));
  const merged = Object.values(world.calls)
    .filter((other) => other.merge?.into === call.id)
    .map((other) => other.lastAlert ?? 0);
  const last = Math.max(call.lastAlert ?? call.createdAt, ...merged);
  if (world.now >= last + FOLD_SECONDS) return "no";
  // The type of a call that was handed over may be one of the job that left.
  const isOwn = call.viewers.length === 0 && call.leaving.length === 0;
  const known = isOwn && call.lastAlert !== null && world.now < call.lastAlert + FOLD_SECONDS ? "yes" : "perhaps";
  if (c.place !== null && call.place !== null) return near(c.place, call.place) ? known : "no";
  if (!sameCaller) return "no";
  const first = call.callers[0];
  const isFirst = first?.person === c.caller && first.anonymous === c.anonymous;
  return c.place === null && call.place === null && isFirst ? known : "perhaps";
};

const mayCall = (world: World, c: CommandOf<"create">): Sure => {
  const person = isPerson(world, c.by);
  if (person === undefined) return "yes";
  return all(
    ...c.jobs.map((job): Sure => {
      if (job === person.job) return "yes";
      const shared = world.offers.filter(
        (o) => o.from === job && o.to === person.job && (o.expiresAt === null || world.now < o.expiresAt),
      );
      if (shared.some((o) => o.level === "block")) return world.jobs[job]?.isPublic === true ? "perhaps" : "no";
      if (world.jobs[job]?.isPublic === true || shared.some((o) => person.grade >= o.minimumGrade)) return "yes";
      return shared.length > 0 || world.offers.some((o) => o.from === person.job && o.to === job && o.level !== "block")
        ? "perhaps"
        : "no";
    }),
  );
};

export const create = (world: World, c: CommandOf<"create">): Result => {
  const person = isPerson(world, c.by);
  if (person === undefined && c.by !== SYSTEM) return gone(world);
  const caller = c.caller;
  const few = (kinds: readonly string[]): boolean => caller === null || alertsOf(world, caller, kinds, 60) < 3;
  const demands: Demand[] = [
    [any(isS(c.by), sure(person?.mayCreate === true)), "notAllowed"],
    [sure(c.jobs.length > 0), "invalid"],
    [sure(c.jobs.every((job) => world.jobs[job] !== undefined)), "notFound", "invalid", "notAllowed"],
    [mayCall(world, c), "notAllowed", "invalid"],
    [sure(c.priority >= 1 && c.priority <= 4 && c.type !== "panic"), "invalid"],
    [
      person !== undefined && !few(["call"]) ? "no" : unlessSure(few(["call", "uncertain", "panic", "panicAgain"])),
      "notAllowed",
      "invalid",
      "wrongState",
    ],
  ];
  return decide(world, demands, () => createOrFold(world, c));
};

const createOrFold = (world: World, c: CommandOf<"create">): World[] => {
  const alert = { person: c.caller, anonymous: c.anonymous };
  const counted = (after: World, kind: "call" | "uncertain"): World =>
    c.caller === null ? after : { ...after, alerts: [...after.alerts, { person: c.caller, at: world.now, kind }] };
  const fresh = (): World =>
    counted(
      addCall(world, {
        type: c.type,
        panic: false,
        jobs: unique(c.jobs),
        priority: c.priority,
        place: c.place,
        callers: [alert],
      }),
      c.by === SYSTEM ? "uncertain" : "call",
    );
  const into = (call: Call): World[] => {
    const folded = counted(
      touchPerhaps(patchCall(world, call.id, { callers: [...call.callers, alert], lastAlert: world.now }), call.id),
      "uncertain",
    );
    return c.priority < call.priority ? [folded, patchCall(folded, call.id, { priority: c.priority })] : [folded];
  };
  const calls = Object.values(world.calls);
  const certain = calls.filter((call) => folds(world, c, call) === "yes");
  const possible = calls.filter((call) => folds(world, c, call) === "perhaps");
  const worlds = [...certain, ...possible].flatMap(into);
  return certain.length > 0 ? worlds : [fresh(), ...worlds];
};

/** Panic: on duty, priority 1, no fold; pressed again: counted; 1 a minute, 3 in 10 min. */
export const panic = (world: World, c: CommandOf<"panic">): Result => {
  const person = isPerson(world, c.by);
  if (person === undefined) return gone(world);
  const open = Object.values(world.calls).find(
    (call) => call.panic && call.state === "open" && call.callers[0]?.person === person.id,
  );
  const few = (kinds: readonly string[]): boolean =>
    alertsOf(world, person.id, kinds, 60) < 1 && alertsOf(world, person.id, kinds, 600) < 3;
  const both = ["panic", "panicAgain"];
  const limited: Sure =
    open === undefined
      ? few(["panic"])
        ? unlessSure(few(both) && alertsOf(world, person.id, ["call", "uncertain", ...both], 60) < 3)
        : "no"
      : unlessSure(few(both));
  const demands: Demand[] = [
    [sure(person.onDuty), "notAllowed", "wrongState", "invalid"],
    [limited, "notAllowed", "invalid", "wrongState"],
  ];
  const effect: Effect = () => {
    const alert = { person: person.id, anonymous: false };
    const counted = (after: World, kind: "panic" | "panicAgain"): World => ({
      ...after,
      alerts: [...after.alerts, { person: person.id, at: world.now, kind }],
    });
    if (open !== undefined)
      return [counted(patchCall(world, open.id, { callers: [...open.callers, alert], lastAlert: world.now }), "panicAgain")];
    return [
      counted(
        addCall(world, { type: "panic", panic: true, jobs: [person.job], priority: 1, place: { x: 0, y: 0 }, callers: [alert] }),
        "panic",
      ),
    ];
  };
  return decide(world, demands, effect);
};

export const edit = (world: World, c: CommandOf<"edit" | "note"> | CommandOf<"priority">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const crew = c.kind === "note" ? isU(world, c.by, call) : "no";
  const demands: Demand[] = [callOpen(call), [any(isD(world, c.by, call), isS(c.by), crew), "notAllowed"]];
  if (c.kind === "priority") {
    demands.push([sure(c.priority >= 1 && c.priority <= 4), "invalid"], [unlessSure(!call.panic), "invalid", "wrongState"]);
    return decide(world, demands, () => [touch(patchCall(world, call.id, { priority: c.priority }), call.id)]);
  }
  return decide(world, demands, () => [
    touch(patchCall(world, call.id, { notes: call.notes + (c.kind === "note" ? 1 : 0) }), call.id),
  ]);
};

/** "first accepted unit": ever, since the call was opened again, or of those that still work it. */
const isFirst = (world: World, call: Call, unit: Id | undefined): Sure => {
  const working = workingOf(world, { call: call.id }).map((a) => a.unit);
  const lists = [
    call.accepted,
    call.accepted.filter((e) => call.reopenedAt === null || e.at >= call.reopenedAt),
    call.accepted.filter((e) => e.call === call.id),
    call.accepted.filter((e) => working.includes(e.unit)),
  ];
  const firsts = lists.map((list) => list[0]?.unit);
  if (unit === undefined || !firsts.includes(unit)) return "no";
  return firsts.every((first) => first === unit) && working.includes(unit) ? "yes" : "perhaps";
};
export const complete = (world: World, c: CommandOf<"complete" | "callerCancel" | "undo">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const person = isPerson(world, c.by);
  const unit = person?.onDuty === true ? unitOf(world, person.id)?.id : undefined;
  const first = isFirst(world, call, unit);
  const crew = first === "yes" ? isU(world, c.by, call) : first;
  const demands: Demand[] = [
    callOpen(call),
    [any(isD(world, c.by, call), call.panic && any(isS(c.by), crew) !== "no" ? "perhaps" : any(isS(c.by), crew)), "notAllowed"],
  ];
  return decide(world, demands, () => endCall(world, call.id, "completed"));
};
export const cancel = (world: World, c: CommandOf<"cancel" | "reopen">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const demands: Demand[] = [
    callOpen(call),
    [any(isD(world, c.by, call), isS(c.by)), "notAllowed"],
    [sure(c.reason !== ""), "invalid"],
    [unlessSure(!call.panic), "wrongState", "invalid", "notAllowed"], // D ends a panic as real, false or test
  ];
  return decide(world, demands, () => endCall(world, call.id, "cancelled"));
};
/** The caller before anybody accepted; the presser of a panic within 10 s. */
export const callerCancel = (world: World, c: CommandOf<"complete" | "callerCancel" | "undo">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  // "Anonymous: the caller's id serves limits and folding only".
  const all = callersOf(world, call).map((caller) => (caller.anonymous ? null : caller.person));
  const own = call.callers.some((caller) => caller.person === c.by && !caller.anonymous);
  const only = own && all.every((person) => person === c.by);
  const before = call.splitFrom === null ? undefined : world.calls[call.splitFrom]; // whether a split copies the callers is not specified
  const origin = before === undefined ? [] : callersOf(world, before).map((caller) => (caller.anonymous ? null : caller.person));
  const isCaller: Sure = only
    ? "yes"
    : [...all, ...origin].includes(c.by) || (!call.callersKnown && c.by !== SYSTEM)
      ? "perhaps"
      : "no";
  const since = call.accepted.filter((e) => call.reopenedAt === null || e.at >= call.reopenedAt);
  const early: Sure = call.panic
    ? sure(world.now < call.createdAt + 10)
    : since.some((e) => e.call === call.id)
      ? "no"
      : unlessSure(call.accepted.length === 0);
  const other = any(isD(world, c.by, call), isS(c.by)) === "no" ? "no" : "perhaps";
  const allowed = any(isCaller, other);
  const demands: Demand[] = [
    callOpen(call),
    [allowed, "notAllowed"],
    [other !== "no" && early === "no" ? "perhaps" : early, "notAllowed", "wrongState", "overtaken"],
  ];
  return decide(world, demands, () => endCall(world, call.id, "cancelled"));
};

/** completed, cancelled: reopen by D, by U within 10 min, by S; no old assignment revives. */
export const reopen = (world: World, c: CommandOf<"cancel" | "reopen">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const person = isPerson(world, c.by);
  const unit = person?.onDuty === true ? unitOf(world, person.id)?.id : undefined;
  const worked = call.accepted.some((e) => e.unit === unit);
  const participates = person !== undefined && atLeast(levelOf(world, call, person.job, person.grade), "participate") === "yes";
  const surely = unit !== undefined && call.workedAtEnd.includes(unit);
  const crew: Sure =
    call.endedAt === null || world.now >= call.endedAt + 600 || !worked ? "no" : unlessSure(surely && participates);
  const demands: Demand[] = [
    [sure(call.state === "completed" || call.state === "cancelled"), "wrongState"],
    [any(isD(world, c.by, call), isS(c.by), crew), "notAllowed"],
    [sure(c.reason !== ""), "invalid"],
    [unlessSure(!call.panic), "wrongState", "invalid"],
  ];
  return decide(world, demands, () => {
    const open = touch(
      patchCall(world, call.id, {
        state: "open",
        ended: null,
        endedAt: null,
        waitSince: world.now,
        reopenedAt: world.next,
        workedAtEnd: [],
      }),
      call.id,
    );
    const after = { ...open, next: open.next + 1 };
    return call.leaving.length > 0 ? [leaveJobs(after, call.id), after] : [after];
  });
};

/** open, hand over to job B: D of A asks. */
export const handOver = (world: World, c: CommandOf<"handOver">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const demands: Demand[] = [
    callOpen(call),
    [any(isDOfJob(world, c.by, c.from), isD(world, c.by, call) === "no" ? "no" : "perhaps"), "notAllowed"],
    [sure(call.jobs.includes(c.from)), "invalid", "wrongState", "notAllowed"],
    [sure(c.from !== c.to), "invalid"],
    [sure(world.jobs[c.to] !== undefined), "notFound", "invalid"],
    [unlessSure(!call.jobs.includes(c.to) && !call.leaving.includes(c.from)), "invalid", "wrongState"],
    [unlessSure(call.handover === null), "wrongState", "invalid", "overtaken"],
    [unlessSure(!call.panic), "wrongState", "invalid"],
    // *Who may call whom*: whether it counts for the job that is asked.
    [unlessSure(world.jobs[c.to]?.isPublic === true), "notAllowed"],
  ];
  return decide(world, demands, () => [
    touchPerhaps(
      patchCall(world, call.id, { handover: { from: c.from, to: c.to, due: world.now + 60, reported: false } }),
      call.id,
    ),
  ]);
};
/** "D of B accepts, with none signed on any member on duty". */
export const answerHandover = (world: World, c: CommandOf<"answerHandover">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const asked = call.handover;
  if (asked === null) return decide(world, [callOpen(call), ["no", "wrongState", "notAllowed"]], () => [world]);
  const person = isPerson(world, c.by);
  const anybody = !Object.values(world.people).some((p) => p.job === asked.to && signedOn(world, p));
  // Whether the grace counts for somebody who closed the desk by hand.
  const graced = Object.values(world.people).some((p) => p.job === asked.to && signedOn(world, p) && p.desk === "open");
  const isMember = person?.onDuty === true && person.job === asked.to;
  const member: Sure = isMember && !graced ? unlessSure(anybody) : "no";
  const demands: Demand[] = [
    callOpen(call),
    [any(isDOfJob(world, c.by, asked.to), member), "notAllowed"],
    [unlessSure(!asked.reported && call.jobs.includes(asked.from)), "wrongState", "overtaken"],
  ];
  return decide(world, demands, () => {
    const jobs = c.accept ? unique([...call.jobs, asked.to]) : call.jobs;
    const leaving = c.accept
      ? unique([...call.leaving.filter((job) => job !== asked.to), asked.from]).filter((job) => jobs.includes(job))
      : call.leaving;
    const after = touchPerhaps(patchCall(world, call.id, { handover: null, jobs, leaving }), call.id);
    return [c.accept ? leaveJobs(after, call.id) : after];
  });
};

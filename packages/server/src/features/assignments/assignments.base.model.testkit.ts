// Queries, rights and the follow-ups that several tables share.
import type {
  Actor,
  Assignment,
  AssignmentState,
  Call,
  Id,
  Job,
  Level,
  Mode,
  Outcome,
  Person,
  Reason,
  Result,
  StatusKind,
  Unit,
  World,
  Working,
} from "./assignments.types.model.testkit.ts";
import { SYSTEM } from "./assignments.types.model.testkit.ts";

/** `perhaps`: the specification allows both readings. */
export type Sure = "yes" | "no" | "perhaps";
export type Demand = readonly [Sure, ...Reason[]];
export type Effect = () => readonly World[];

export const IDLE = 3600;
const DESK_GRACE = 120;
const order: readonly AssignmentState[] = ["offered", "accepted", "enRoute", "onScene"];
const levels: readonly Level[] = ["none", "view", "participate", "dispatch"];

export const sure = (holds: boolean): Sure => (holds ? "yes" : "no");
export const not = (value: Sure): Sure => (value === "yes" ? "no" : value === "no" ? "yes" : "perhaps");
export const unlessSure = (holds: boolean): Sure => (holds ? "yes" : "perhaps");
/** The better of two ways to be allowed. */
export const any = (...values: readonly Sure[]): Sure =>
  values.includes("yes") ? "yes" : values.includes("perhaps") ? "perhaps" : "no";
export const all = (...values: readonly Sure[]): Sure =>
  values.includes("no") ? "no" : values.includes("perhaps") ? "perhaps" : "yes";

export const isWorking = (state: AssignmentState): state is Working =>
  state === "accepted" || state === "enRoute" || state === "onScene";
export const isOpen = (state: AssignmentState): boolean => state === "offered" || isWorking(state);
export const rank = (state: AssignmentState): number => order.indexOf(state);
export const unique = (values: readonly Id[]): Id[] => [...new Set(values)];

export const patchCall = (world: World, id: Id, patch: Partial<Call>): World => {
  const call = world.calls[id];
  return call === undefined ? world : { ...world, calls: { ...world.calls, [id]: { ...call, ...patch } } };
};
export const patchUnit = (world: World, id: Id, patch: Partial<Unit>): World => {
  const unit = world.units[id];
  return unit === undefined ? world : { ...world, units: { ...world.units, [id]: { ...unit, ...patch } } };
};
export const patchPerson = (world: World, id: Id, patch: Partial<Person>): World => {
  const person = world.people[id];
  return person === undefined ? world : { ...world, people: { ...world.people, [id]: { ...person, ...patch } } };
};
export const patchAssignment = (world: World, id: Id, patch: Partial<Assignment>): World => {
  const found = world.assignments[id];
  if (found === undefined) return world;
  const changed: Assignment = { ...found, ...patch, version: found.version + 1 };
  return { ...world, assignments: { ...world.assignments, [id]: changed } };
};
export const setState = (world: World, id: Id, state: AssignmentState): World => ({
  ...patchAssignment(world, id, { state, deadline: null, since: world.next }),
  next: world.next + 1,
});

export const addAssignment = (
  world: World,
  fields: Pick<Assignment, "call" | "unit" | "state" | "deadline"> & Partial<Assignment>,
): World => {
  const id = `a${world.next}`;
  const added: Assignment = {
    id,
    needsHelp: false,
    version: 1,
    since: world.next,
    helpSince: 0,
    moved: false,
    blurred: false,
    ...fields,
  };
  return { ...world, next: world.next + 1, assignments: { ...world.assignments, [id]: added } };
};

export const jobOf = (world: World, name: Id): Job => {
  const job = world.jobs[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  return job;
};
export const openOf = (world: World, by: { readonly call?: Id; readonly unit?: Id }): Assignment[] =>
  Object.values(world.assignments).filter(
    (a) => isOpen(a.state) && (by.call === undefined || a.call === by.call) && (by.unit === undefined || a.unit === by.unit),
  );
export const workingOf = (world: World, by: { readonly call?: Id; readonly unit?: Id }): Assignment[] =>
  openOf(world, by).filter((a) => isWorking(a.state));
export const unitOf = (world: World, person: Id): Unit | undefined =>
  Object.values(world.units).find((unit) => unit.crew.includes(person));
export const crewOnDuty = (world: World, unit: Id): number =>
  (world.units[unit]?.crew ?? []).filter((id) => world.people[id]?.onDuty === true).length;

/** Section 1: on duty with a desk open, with a grace of 2 min for the desk. */
export const signedOn = (world: World, person: Person): boolean =>
  person.onDuty &&
  person.mayDispatch &&
  (person.desk === "open" || (person.desk !== "never" && world.now < person.desk.closedAt + DESK_GRACE));
export const modeInForce = (world: World, job: Id): Mode =>
  Object.values(world.people).some((p) => p.job === job && signedOn(world, p))
    ? jobOf(world, job).mode
    : jobOf(world, job).fallback;

const offersFrom = (world: World, from: Id, to: Id, grade: number) =>
  world.offers.filter(
    (o) => o.from === from && o.to === to && grade >= o.minimumGrade && (o.expiresAt === null || world.now < o.expiresAt),
  );
/** What one of the call's jobs gives: own job dispatch, else its offer. */
const levelFrom = (world: World, from: Id, to: Id, grade: number): Level | "block" => {
  if (from === to) return "dispatch";
  const given = offersFrom(world, from, to, grade);
  if (given.some((o) => o.level === "block")) return "block";
  return levels[Math.max(0, ...given.map((o) => levels.indexOf(o.level as Level)))] ?? "none";
};
/** Null where another job of the call blocks a job that is itself on it. */
export const levelOf = (world: World, call: Call, job: Id, grade: number): Level | null => {
  const given = call.jobs.map((from) => levelFrom(world, from, job, grade));
  if (given.includes("block")) return call.jobs.includes(job) || call.viewers.includes(job) ? null : "none";
  const best = Math.max(call.viewers.includes(job) ? 1 : 0, ...given.map((level) => levels.indexOf(level as Level)));
  return levels[best] ?? "none";
};
export const atLeast = (level: Level | null, wanted: Level): Sure =>
  level === null ? "perhaps" : sure(levels.indexOf(level) >= levels.indexOf(wanted));
export const isPerson = (world: World, by: Actor): Person | undefined => (by === SYSTEM ? undefined : world.people[by]);

/** A right without an open desk: whether that is a dispatcher is not specified. */
const dispatches = (world: World, person: Person): Sure =>
  !person.mayDispatch || !person.onDuty ? "no" : unlessSure(signedOn(world, person));
export const isD = (world: World, by: Actor, call: Call): Sure => {
  const person = isPerson(world, by);
  if (person === undefined) return "no";
  return all(dispatches(world, person), atLeast(levelOf(world, call, person.job, person.grade), "dispatch"));
};
export const isDOfJob = (world: World, by: Actor, job: Id): Sure => {
  const person = isPerson(world, by);
  if (person === undefined) return "no";
  return all(dispatches(world, person), sure(levelFrom(world, job, person.job, person.grade) === "dispatch"));
};
export const isS = (by: Actor): Sure => sure(by === SYSTEM);
const memberOn = (world: World, person: Person, unit: Unit, call: Call): Sure => {
  if (!person.onDuty || !unit.crew.includes(person.id)) return "no";
  return atLeast(levelOf(world, call, person.job, person.grade), "participate") === "yes" ? "yes" : "perhaps";
};
export const isU = (world: World, by: Actor, call: Call): Sure => {
  const person = isPerson(world, by);
  const unit = person && unitOf(world, person.id);
  if (person === undefined || unit === undefined || workingOf(world, { call: call.id, unit: unit.id }).length === 0) return "no";
  return memberOn(world, person, unit, call);
};
/** U for one assignment: surely the own unit, perhaps another unit on the same call. */
export const isUOf = (world: World, by: Actor, call: Call, assignment: Assignment): Sure => {
  const person = isPerson(world, by);
  const unit = person && unitOf(world, person.id);
  if (unit?.id === assignment.unit) return person === undefined ? "no" : memberOn(world, person, unit, call);
  return isU(world, by, call) === "no" ? "no" : "perhaps";
};

/** The outcome by demands: any *no* refuses, *perhaps* leaves both open. */
export const decide = (world: World, demands: readonly Demand[], effect: Effect): Result => {
  const reasons = (wanted: readonly Sure[]): Reason[] => {
    const found = new Set(demands.flatMap(([value, ...names]) => (wanted.includes(value) ? names : [])));
    if (found.has("notAllowed")) found.add("notFound"); // what a person may not see does not exist for them
    return [...found];
  };
  const refused = (wanted: readonly Sure[]): Result => ({ world, outcome: { kind: "refused", reasons: reasons(wanted) } });
  if (demands.some(([value]) => value === "no")) return refused(["no", "perhaps"]);
  const known = new Map<string, Result>();
  for (const after of effect()) known.set(JSON.stringify(after), { world: after, outcome: doneOutcome(world, after) });
  const results = [...known.values()];
  if (demands.some(([value]) => value === "perhaps")) results.push(refused(["perhaps"]));
  const first = results[0];
  if (first === undefined) throw new Error("a command without a result");
  return results.length === 1 ? first : { world: first.world, outcome: { kind: "either", of: results } };
};
const doneOutcome = (before: World, after: World): Outcome => ({
  kind: "done",
  calls: Object.keys(after.calls).filter((id) => before.calls[id] === undefined),
  assignments: Object.keys(after.assignments).filter((id) => before.assignments[id] === undefined),
});

/** Section 4: accept, assigned, any working state: busy, remembering the former status. */
export const markBusy = (world: World, id: Id): World => {
  const unit = world.units[id];
  if (unit === undefined || (unit.status === "busy" && unit.remembered !== null)) return world;
  return patchUnit(world, id, { status: "busy", remembered: unit.status });
};
/** From no work to a working state: who was first is kept for *complete*. */
export const startWork = (world: World, assignment: Assignment): World => {
  const call = world.calls[assignment.call];
  if (call === undefined) return world;
  const noted = patchCall(world, call.id, {
    accepted: [...call.accepted, { unit: assignment.unit, at: world.next, call: call.id }],
  });
  return markBusy({ ...noted, next: noted.next + 1 }, assignment.unit);
};

const free = (world: World, unit: Unit): World[] => {
  const to = (status: StatusKind): World => patchUnit(world, unit.id, { status, remembered: null });
  if (unit.dissolved || unit.status === "available" || unit.status === "break") return [world];
  if (unit.status === "unavailable") return unit.isStatic ? [world] : [world, to("available")];
  if (unit.isStatic) return [to("unavailable"), world];
  if (crewOnDuty(world, unit.id) < unit.minimumCrew) return [to("unavailable")];
  if (jobOf(world, unit.job).askOnEnd) return [to("busy")];
  if (unit.remembered === null) return [world, to("available")]; // busy by hand, and only an offer ended
  return [to(unit.remembered === "break" ? "break" : "available")];
};

/** What follows when assignments ended or moved: waiting calls, jobs that leave, units that are free. */
export const settleEnds = (before: World, after: World): World[] => {
  const gone = Object.values(before.assignments).filter((a) => {
    const now = after.assignments[a.id];
    return isOpen(a.state) && now !== undefined && (!isOpen(now.state) || now.call !== a.call);
  });
  let world = after;
  for (const id of unique(gone.map((a) => a.call))) {
    const call = world.calls[id];
    if (call === undefined || call.state !== "open") continue;
    if (workingOf(before, { call: id }).length > 0 && workingOf(world, { call: id }).length === 0) {
      world = patchCall(world, id, {
        waitSince: null,
        idle: call.panic ? null : { from: world.now + IDLE, to: world.now + IDLE },
      });
    } else world = touchPerhaps(world, id);
    world = leaveJobs(world, id);
  }
  let worlds: World[] = [world];
  for (const id of unique(gone.map((a) => a.unit))) {
    worlds = worlds.flatMap((w) => {
      const unit = w.units[id];
      if (unit === undefined || workingOf(w, { unit: id }).length > 0) return [w];
      // "last open assignment ended": whether an offer that is left still counts.
      return openOf(w, { unit: id }).length > 0 ? [w, ...free(w, unit)] : free(w, unit);
    });
  }
  return worlds;
};

/** Handed over: A leaves when its units have ended and keeps *view*. */
export const leaveJobs = (world: World, id: Id): World => {
  const call = world.calls[id];
  if (call === undefined || call.leaving.length === 0) return world;
  const busy = openOf(world, { call: id }).map((a) => world.units[a.unit]?.job);
  const gone = call.leaving.filter((job) => !busy.includes(job));
  return patchCall(world, id, {
    leaving: call.leaving.filter((job) => !gone.includes(job)),
    jobs: call.jobs.filter((job) => !gone.includes(job)),
    viewers: unique([...call.viewers, ...gone]),
  });
};

/** The idle timer began again. */
export const touch = (world: World, id: Id): World => {
  const call = world.calls[id];
  return call === undefined || call.panic
    ? world
    : patchCall(world, id, { idle: { from: world.now + IDLE, to: world.now + IDLE } });
};
/** The idle timer began again, or not: the table does not name this change. */
export const touchPerhaps = (world: World, id: Id): World => {
  const idle = world.calls[id]?.idle ?? null;
  return idle === null ? world : patchCall(world, id, { idle: { from: idle.from, to: world.now + IDLE } });
};

/** Completed, cancelled: open assignments end as the rows of section 2 say. */
export const endCall = (world: World, id: Id, ended: "completed" | "cancelled" | "tooOld"): World[] => {
  const working = workingOf(world, { call: id });
  let after = patchCall(world, id, {
    state: ended === "completed" ? "completed" : "cancelled",
    ended,
    endedAt: world.now,
    idle: null,
    handover: null,
    workedAtEnd: working.map((a) => a.unit),
  });
  for (const a of openOf(world, { call: id }))
    after = setState(after, a.id, ended === "completed" && isWorking(a.state) ? "done" : "withdrawn");
  return settleEnds(world, after);
};

/** Section 4: under the minimum crew, and reached again. */
export const crewChanged = (before: World, after: World, id: Id): World[] => {
  const unit = after.units[id];
  if (unit === undefined || unit.dissolved) return [after];
  const [was, is] = [crewOnDuty(before, id), crewOnDuty(after, id)];
  const world = patchUnit(after, id, { emptySince: unit.crew.length > 0 ? null : (unit.emptySince ?? after.now) });
  const to = (status: StatusKind): World => patchUnit(world, id, { status, remembered: null });
  const working = workingOf(world, { unit: id }).length > 0;
  if (is < was && is < unit.minimumCrew && unit.status !== "unavailable") {
    return working || was < unit.minimumCrew ? [to("unavailable"), world] : [to("unavailable")];
  }
  if (
    is >= unit.minimumCrew &&
    was < unit.minimumCrew &&
    unit.status === "unavailable" &&
    !unit.isStatic &&
    jobOf(world, unit.job).minimumCrewMakesAvailable
  ) {
    return working ? [to("available"), markBusy(world, id), world] : [to("available")];
  }
  return [world];
};
/** Last member's duty ended, unit dissolved: offers are withdrawn, work is left. */
export const dropWork = (world: World, unit: Id): World => {
  let after = world;
  for (const a of openOf(world, { unit })) after = setState(after, a.id, isWorking(a.state) ? "left" : "withdrawn");
  return after;
};

// Section 3: one unit, one call.
import type { Assignment, Call, CommandOf, Id, Result, World } from "./assignments.types.model.testkit.ts";
import type { Demand, Sure } from "./assignments.base.model.testkit.ts";
import {
  addAssignment,
  all,
  any,
  atLeast,
  decide,
  endCall,
  isD,
  isDOfJob,
  isOpen,
  isPerson,
  isS,
  isUOf,
  isWorking,
  jobOf,
  levelOf,
  markBusy,
  modeInForce,
  not,
  openOf,
  patchAssignment,
  patchUnit,
  crewOnDuty,
  setState,
  settleEnds,
  startWork,
  sure,
  touchPerhaps,
  unique,
  unitOf,
  unlessSure,
  workingOf,
} from "./assignments.base.model.testkit.ts";

const gone = (world: World): Result => ({ world, outcome: { kind: "refused", reasons: ["notFound", "notAllowed"] } });
const callOpen = (call: Call): Demand => [sure(call.state === "open"), "wrongState"];
const offerWindow = (call: Call): number => (call.priority === 1 ? 15 : 30);

/** Central command in force; where the jobs of call and unit differ in mode the specification does not say whose counts. */
const central = (world: World, call: Call, unitJob: Id): Sure => {
  const modes = unique([...call.jobs, unitJob]).map((job) => modeInForce(world, job) === "central");
  return modes.every(Boolean) ? "yes" : modes.some(Boolean) ? "perhaps" : "no";
};

/** offer, assign: by D; whether a unit without crew or of a job without level may get it is not specified. */
export const offerOrAssign = (world: World, c: CommandOf<"offer" | "assign">): Result => {
  const [call, unit] = [world.calls[c.call], world.units[c.unit]];
  if (call === undefined || unit === undefined) return gone(world);
  const open = openOf(world, { call: call.id, unit: unit.id })[0];
  const mayGet = !unit.isStatic && unit.status !== "unavailable" && crewOnDuty(world, unit.id) >= unit.minimumCrew;
  const demands: Demand[] = [
    callOpen(call),
    [isD(world, c.by, call), "notAllowed"],
    [sure(!unit.dissolved), "notFound", "wrongState", "invalid"],
    [unlessSure(mayGet), "invalid", "wrongState"],
    [unlessSure(call.jobs.includes(unit.job)), "invalid", "notAllowed"],
    [unlessSure(open === undefined), "invalid", "wrongState", "overtaken"],
  ];
  return decide(world, demands, () => {
    if (open !== undefined) {
      if (c.kind === "offer" || isWorking(open.state)) return [world];
      return [startWork(setState(world, open.id, "accepted"), open)];
    }
    const offered = c.kind === "offer";
    const id = `a${world.next}`;
    const added = addAssignment(world, {
      call: call.id,
      unit: unit.id,
      state: offered ? "offered" : "accepted",
      deadline: offered ? world.now + offerWindow(call) : null,
    });
    const made = added.assignments[id];
    return [touchPerhaps(offered || made === undefined ? added : startWork(added, made), call.id)];
  });
};

/** take: a member, while manual or simplified is in force; a panic always. */
export const take = (world: World, c: CommandOf<"take">): Result => {
  const [call, person] = [world.calls[c.call], isPerson(world, c.by)];
  if (call === undefined || person === undefined) return gone(world);
  const unit = unitOf(world, person.id);
  const level = atLeast(levelOf(world, call, person.job, person.grade), "participate");
  const open = unit === undefined ? undefined : openOf(world, { call: call.id, unit: unit.id })[0];
  const demands: Demand[] = [
    callOpen(call),
    [sure(person.onDuty), "notAllowed", "wrongState", "invalid"],
    [sure(unit !== undefined), "notAllowed", "wrongState", "invalid"],
    [call.panic && level === "no" ? "perhaps" : level, "notAllowed"],
    [call.panic ? "yes" : not(central(world, call, unit?.job ?? person.job)), "notAllowed", "wrongState"],
    [unlessSure(unit !== undefined && !unit.isStatic && unit.status !== "unavailable"), "invalid", "wrongState", "notAllowed"],
    [unlessSure(open === undefined), "invalid", "wrongState", "overtaken"],
  ];
  return decide(world, demands, () => {
    if (unit === undefined || (open !== undefined && isWorking(open.state))) return [world];
    if (open !== undefined) return [touchPerhaps(startWork(setState(world, open.id, "accepted"), open), call.id)];
    const id = `a${world.next}`;
    const added = addAssignment(world, { call: call.id, unit: unit.id, state: "accepted", deadline: null });
    const made = added.assignments[id];
    return [touchPerhaps(made === undefined ? added : startWork(added, made), call.id)];
  });
};

type OnOne = { readonly by: Id; readonly assignment: Id; readonly seen: number };
const find = (world: World, c: OnOne): { a: Assignment; call: Call } | undefined => {
  const a = world.assignments[c.assignment];
  const call = a && world.calls[a.call];
  return a === undefined || call === undefined ? undefined : { a, call };
};
/** Commands carry the version they saw; whether a merge or split changes it is not specified; on an ended or changed assignment either reason is right. */
const current = (c: OnOne, a: Assignment): Demand => [
  c.seen === a.version ? "yes" : a.moved ? "perhaps" : "no",
  "overtaken",
  "wrongState",
];

/** accept, decline: any member; members off duty take no call (section 4). */
export const answer = (world: World, c: CommandOf<"accept" | "decline" | "done" | "withdraw">): Result => {
  const found = find(world, c);
  if (found === undefined) return gone(world);
  const { a, call } = found;
  const person = isPerson(world, c.by);
  const member = person !== undefined && person.onDuty && unitOf(world, person.id)?.id === a.unit;
  const demands: Demand[] = [
    current(c, a),
    [sure(a.state === "offered"), "wrongState", "overtaken"],
    [sure(member), "notAllowed", "wrongState", "invalid"],
  ];
  return decide(world, demands, () => {
    if (c.kind === "accept") return [touchPerhaps(startWork(setState(world, a.id, "accepted"), a), call.id)];
    return settleEnds(world, setState(world, a.id, "declined"));
  });
};

/** offered, withdraw: D, S. */
export const withdraw = (world: World, c: CommandOf<"accept" | "decline" | "done" | "withdraw">): Result => {
  const found = find(world, c);
  if (found === undefined) return gone(world);
  const { a, call } = found;
  const demands: Demand[] = [
    current(c, a),
    [sure(a.state === "offered"), "wrongState", "overtaken"],
    [any(isD(world, c.by, call), isS(c.by)), "notAllowed"],
  ];
  return decide(world, demands, () => settleEnds(world, setState(world, a.id, "withdrawn")));
};

const working = (a: Assignment): Demand => [sure(isWorking(a.state)), "wrongState", "overtaken"];

/** working, another working state: U, D, S. */
export const progress = (world: World, c: CommandOf<"progress">): Result => {
  const found = find(world, c);
  if (found === undefined) return gone(world);
  const { a, call } = found;
  const demands: Demand[] = [
    current(c, a),
    working(a),
    [any(isUOf(world, c.by, call, a), isD(world, c.by, call), isS(c.by)), "notAllowed"],
    [unlessSure(a.state !== c.to), "wrongState", "invalid", "overtaken"],
  ];
  return decide(world, demands, () =>
    a.state === c.to ? [world] : [touchPerhaps(markBusy(setState(world, a.id, c.to), a.unit), call.id)],
  );
};

/** The flag: who sets it is not in the table, U surely may. */
export const needHelp = (world: World, c: CommandOf<"needHelp">): Result => {
  const found = find(world, c);
  if (found === undefined) return gone(world);
  const { a, call } = found;
  const own = isUOf(world, c.by, call, a);
  const other = any(isD(world, c.by, call), isS(c.by));
  const demands: Demand[] = [
    current(c, a),
    working(a),
    [any(own, other === "no" ? "no" : "perhaps"), "notAllowed"],
    [unlessSure(a.needsHelp !== c.on), "wrongState", "invalid"],
  ];
  return decide(world, demands, () => {
    if (a.needsHelp === c.on) return [world];
    const marked = patchAssignment(world, a.id, { needsHelp: c.on, helpSince: world.next });
    // "any working state: busy" may include the flag.
    const after = touchPerhaps({ ...marked, next: marked.next + 1 }, call.id);
    return [after, markBusy(after, a.unit)];
  });
};

/** working, done: U, D, S; the last one completes the call if its jobs say so. */
export const done = (world: World, c: CommandOf<"accept" | "decline" | "done" | "withdraw">): Result => {
  const found = find(world, c);
  if (found === undefined) return gone(world);
  const { a, call } = found;
  const demands: Demand[] = [
    current(c, a),
    working(a),
    [any(isUOf(world, c.by, call, a), isD(world, c.by, call), isS(c.by)), "notAllowed"],
  ];
  return decide(world, demands, () => {
    const after = setState(world, a.id, "done");
    if (workingOf(after, { call: call.id }).length > 0) return settleEnds(world, after);
    const wants = call.jobs.map((job) => jobOf(world, job).completeWithLastWork);
    const stays = (): World[] => settleEnds(world, after);
    const completes = (): World[] => endWithLast(world, a);
    if (call.panic || (wants.some(Boolean) && !wants.every(Boolean)))
      return wants.some(Boolean) ? [...completes(), ...stays()] : stays();
    return wants.every(Boolean) ? completes() : stays();
  });
};
const endWithLast = (world: World, a: Assignment): World[] => endCall(world, a.call, "completed");

/** working, hand back: U outside central command, D; with a reason. */
export const handBack = (world: World, c: CommandOf<"handBack">): Result => {
  const found = find(world, c);
  if (found === undefined) return gone(world);
  const { a, call } = found;
  const inCentral = central(world, call, world.units[a.unit]?.job ?? "");
  const crew = all(isUOf(world, c.by, call, a), call.panic && inCentral !== "no" ? "perhaps" : not(inCentral));
  const demands: Demand[] = [
    current(c, a),
    working(a),
    [any(crew, isD(world, c.by, call)), "notAllowed", "wrongState"],
    [sure(c.reason !== ""), "invalid"],
  ];
  return decide(world, demands, () => settleEnds(world, setState(world, a.id, "left")));
};

/** "break or unavailable set with open work: asked: hand back or stay". */
export const unitStatus = (world: World, c: CommandOf<"unitStatus">): Result => {
  const [unit, person] = [world.units[c.unit], isPerson(world, c.by)];
  if (unit === undefined || person === undefined) return gone(world);
  const member = sure(person.onDuty && unit.crew.includes(person.id));
  const open = openOf(world, { unit: unit.id });
  const work = open.filter((a) => isWorking(a.state));
  const away = c.status === "break" || c.status === "unavailable";
  const asked = away && c.choice === null;
  const underCrew = crewOnDuty(world, unit.id) < unit.minimumCrew;
  const back =
    away &&
    c.choice === "handBack" &&
    work.some((a) => centralFor(world, a, unit.job) !== "no" && isD(world, c.by, callOf(world, a)) !== "yes");
  const demands: Demand[] = [
    [any(member, isDOfJob(world, c.by, unit.job)), "notAllowed"],
    [sure(!unit.dissolved), "notFound", "wrongState"],
    [sure(!(unit.isStatic && c.status === "available")), "invalid", "wrongState"],
    [asked && work.length > 0 ? "no" : unlessSure(!asked || open.length === 0), "wrongState", "invalid"],
    [unlessSure(!(c.status === "available" && work.length > 0)), "wrongState", "invalid"],
    [unlessSure(!(c.status === "busy" && unit.isStatic)), "wrongState", "invalid"],
    [unlessSure(!(c.status !== "unavailable" && underCrew)), "wrongState", "invalid"],
    [unlessSure(!back), "notAllowed", "wrongState"],
  ];
  return decide(world, demands, () => {
    const set = (w: World): World => {
      const same = unit.status === c.status;
      return patchUnit(w, unit.id, {
        status: c.status,
        remembered: c.status === "busy" && same ? unit.remembered : null,
        touched: unit.touched + 1,
      });
    };
    if (!away || c.choice !== "handBack" || open.length === 0) return [set(world)];
    let after = world;
    for (const a of work) after = setState(after, a.id, "left");
    const offers = open.filter((a) => a.state === "offered").map((a) => a.id);
    const ends = [
      after,
      ...(["declined", "withdrawn"] as const).map((state) => offers.reduce((w, id) => setState(w, id, state), after)),
    ];
    return ends.flatMap((w) => settleEnds(world, w)).map((w) => set(w));
  });
};
const callOf = (world: World, a: Assignment): Call => {
  const call = world.calls[a.call];
  if (call === undefined || !isOpen(a.state)) throw new Error("an open assignment without a call");
  return call;
};
const centralFor = (world: World, a: Assignment, unitJob: Id): Sure => central(world, callOf(world, a), unitJob);

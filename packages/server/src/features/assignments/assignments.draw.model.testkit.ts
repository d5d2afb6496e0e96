// Random worlds and commands: mostly such as the tables allow, at times such as they refuse.
import type { Assignment, Call, Command, Id, Person, Unit, World } from "./assignments.types.model.testkit.ts";
import { SYSTEM } from "./assignments.types.model.testkit.ts";
import { crewOnDuty, isOpen, isWorking, openOf, signedOn, unitOf } from "./assignments.base.model.testkit.ts";
import { apply } from "./assignments.model.testkit.ts";

export type Random = () => number; // [0, 1)
type Kind = Command["kind"];

const weights: Readonly<Record<Kind, number>> = {
  create: 13,
  panic: 1,
  edit: 1,
  note: 2,
  priority: 1.5,
  complete: 2,
  callerCancel: 1,
  cancel: 1.5,
  merge: 8,
  undo: 10,
  split: 6,
  link: 1.5,
  unlink: 1.5,
  reopen: 6,
  handOver: 4,
  answerHandover: 8,
  offer: 6,
  assign: 6,
  take: 6,
  accept: 10,
  decline: 2.5,
  done: 3.5,
  withdraw: 2,
  progress: 8,
  needHelp: 3,
  handBack: 2,
  unitStatus: 3,
  join: 2,
  leave: 0.7,
  move: 1.5,
  duty: 1.7,
  desk: 1,
  dissolve: 0.3,
  advance: 6,
};
const valid = 0.85;
const tries = 10;

const oneOf = <T>(random: Random, values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
/** Mostly one that fits, at times any. */
const prefer = <T>(random: Random, values: readonly T[], fits: (value: T) => boolean): T | undefined => {
  const fitting = values.filter(fits);
  return oneOf(random, fitting.length > 0 && random() < 0.9 ? fitting : values);
};
const kindOf = (random: Random): Kind => {
  const entries = Object.entries(weights) as [Kind, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of entries) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "advance";
};

const types = [
  { type: "fire", priority: 2 },
  { type: "accident", priority: 1 },
  { type: "theft", priority: 3 },
] as const;
const places = [{ x: 0, y: 0 }, { x: 30, y: 0 }, { x: 500, y: 0 }, { x: 900, y: 900 }, null] as const;
const waits = [1, 4, 7, 12, 20, 31, 61, 90, 130, 200, 400, 650, 950, 3700] as const;

const person = (world: World, random: Random, fits: (p: Person) => boolean): Id =>
  prefer(random, Object.values(world.people), fits)?.id ?? SYSTEM;
/** The kinds whose row names S. */
const bySystem: readonly Kind[] = [
  "edit",
  "note",
  "priority",
  "complete",
  "cancel",
  "reopen",
  "withdraw",
  "progress",
  "done",
  "needHelp",
];
const dispatcher = (world: World, random: Random, kind: Kind): Id =>
  bySystem.includes(kind) && random() < 0.15 ? SYSTEM : person(world, random, (p) => signedOn(world, p));
const memberOf = (world: World, random: Random, unit: Id): Id =>
  person(world, random, (p) => p.onDuty && unitOf(world, p.id)?.id === unit);
const openCall = (world: World, random: Random, fits: (call: Call) => boolean = () => true): Call | undefined =>
  prefer(random, Object.values(world.calls), (call) => call.state === "open" && fits(call));
/** A unit that may surely get the call, where there is one. */
const someUnit = (world: World, random: Random, call: Call): Unit | undefined =>
  prefer(
    random,
    Object.values(world.units).filter((u) => !u.isStatic),
    (u) =>
      !u.dissolved &&
      crewOnDuty(world, u.id) >= u.minimumCrew &&
      u.status !== "unavailable" &&
      call.jobs.includes(u.job) &&
      openOf(world, { call: call.id, unit: u.id }).length === 0,
  );

const drawCreate = (world: World, random: Random): Command => {
  const by = random() < 0.2 ? SYSTEM : person(world, random, (p) => p.mayCreate);
  const caller = by === SYSTEM ? person(world, random, () => true) : by;
  const old = random() < 0.35 ? openCall(world, random, (call) => !call.panic && call.lastAlert !== null) : undefined;
  const kind = oneOf(random, types) ?? types[0];
  const job = random() < 0.6 ? world.people[by]?.job : undefined;
  const own =
    job !== undefined && world.jobs[job] !== undefined && job !== "civil"
      ? job
      : (oneOf(random, ["police", "medic", "fire"]) ?? "police");
  const jobs = random() < 0.15 ? [own, "medic"] : random() < 0.02 ? [] : [own];
  const priority = random() < 0.02 ? 9 : kind.priority;
  const fresh = {
    type: kind.type,
    priority,
    jobs,
    place: by === SYSTEM ? (places[Math.floor(random() * 4)] ?? null) : (oneOf(random, places) ?? null),
  };
  const like =
    old === undefined || old.panic
      ? fresh
      : { type: old.type, priority: types.find((t) => t.type === old.type)?.priority ?? 2, jobs: old.jobs, place: old.place };
  return { kind: "create", by, caller, anonymous: random() < 0.2, ...like };
};

const drawCall = (world: World, random: Random, kind: Kind): Command | undefined => {
  const call = openCall(world, random, (one) =>
    kind === "split" ? openOf(world, { call: one.id }).length > 0 : kind !== "unlink" || one.links.length > 0,
  );
  if (call === undefined) return undefined;
  const [by, id] = [dispatcher(world, random, kind), call.id];
  const crew = oneOf(random, openOf(world, { call: id }));
  const either = crew !== undefined && random() < 0.4 ? memberOf(world, random, crew.unit) : by;
  const reason = random() < 0.05 ? "" : "because";
  if (kind === "edit") return { kind, by, call: id };
  if (kind === "note" || kind === "complete") return { kind, by: either, call: id };
  if (kind === "priority") return { kind, by, call: id, priority: random() < 0.05 ? 9 : 1 + Math.floor(random() * 4) };
  if (kind === "cancel") return { kind, by, call: id, reason };
  if (kind === "callerCancel") return { kind, by: oneOf(random, call.callers)?.person ?? by, call: id };
  if (kind === "split") {
    const units = openOf(world, { call: id })
      .filter((_, at) => at === 0 || random() < 0.5)
      .map((a) => a.unit);
    return call.panic ? undefined : { kind, by, call: id, units, notes: Math.floor(random() * (call.notes + 1)) };
  }
  const other = openCall(
    world,
    random,
    (one) => one.id !== id && !one.panic && (kind !== "unlink" || call.links.includes(one.id)),
  );
  if (other === undefined) return undefined;
  if (kind === "link" || kind === "unlink") return { kind, by, call: id, other: other.id };
  const [older, newer] = other.order < call.order ? [other, call] : [call, other];
  const turned = random() < 0.05;
  return call.panic || other.panic
    ? undefined
    : { kind: "merge", by, call: turned ? older.id : newer.id, into: turned ? newer.id : older.id, uniteJobs: random() < 0.4 };
};

const drawHistory = (world: World, random: Random, kind: Kind): Command | undefined => {
  const calls = Object.values(world.calls);
  const by = dispatcher(world, random, kind);
  if (kind === "undo") {
    const call = prefer(
      random,
      calls,
      (one) => one.state === "merged" && one.merge !== null && world.calls[one.merge.into]?.state === "open",
    );
    return call === undefined ? undefined : { kind, by, call: call.id };
  }
  if (kind === "reopen") {
    const call = prefer(random, calls, (one) => one.state === "completed" || one.state === "cancelled");
    const unit = oneOf(random, call?.accepted ?? [])?.unit;
    const crew = unit !== undefined && random() < 0.4 ? memberOf(world, random, unit) : by;
    return call === undefined ? undefined : { kind, by: crew, call: call.id, reason: random() < 0.05 ? "" : "because" };
  }
  if (kind === "handOver") {
    const call = openCall(world, random, (one) => one.handover === null && !one.panic);
    const from = oneOf(random, call?.jobs ?? []);
    const to = oneOf(
      random,
      ["police", "medic", "fire"].filter((job) => call?.jobs.includes(job) !== true || random() < 0.05),
    );
    return call === undefined || from === undefined || to === undefined ? undefined : { kind, by, call: call.id, from, to };
  }
  const call = openCall(world, random, (one) => one.handover !== null);
  const to = call?.handover?.to;
  return call === undefined
    ? undefined
    : {
        kind: "answerHandover",
        by: person(world, random, (p) => p.onDuty && (to === undefined || p.job === to)),
        call: call.id,
        accept: random() < 0.8,
      };
};

const drawWork = (world: World, random: Random, kind: Kind): Command | undefined => {
  const offered = kind === "accept" || kind === "decline" || kind === "withdraw";
  const a: Assignment | undefined = prefer(random, Object.values(world.assignments), (one) =>
    offered ? one.state === "offered" : isWorking(one.state),
  );
  if (a === undefined) return undefined;
  const member = memberOf(world, random, a.unit);
  const by = kind === "withdraw" || (random() < 0.25 && isOpen(a.state)) ? dispatcher(world, random, kind) : member;
  const on = { by, assignment: a.id, seen: random() < 0.05 ? a.version - 1 : a.version };
  if (kind === "progress")
    return {
      kind,
      ...on,
      to:
        oneOf(
          random,
          (["accepted", "enRoute", "onScene"] as const).filter((to) => to !== a.state || random() < 0.05),
        ) ?? "enRoute",
    };
  if (kind === "needHelp") return { kind, ...on, on: random() < 0.05 ? a.needsHelp : !a.needsHelp };
  if (kind === "handBack") return { kind, ...on, reason: random() < 0.05 ? "" : "because" };
  return kind === "accept" || kind === "decline" || kind === "done" || kind === "withdraw" ? { kind, ...on } : undefined;
};

const drawUnit = (world: World, random: Random, kind: Kind): Command | undefined => {
  const units = Object.values(world.units);
  const any = oneOf(random, units);
  if (any === undefined) return undefined;
  const crewed = prefer(random, units, (u) => u.crew.length > 0) ?? any;
  const idlers = person(
    world,
    random,
    (p) => p.onDuty && p.job !== "civil" && (unitOf(world, p.id) === undefined || random() < 0.2),
  );
  if (kind === "unitStatus") {
    const choice = oneOf(random, [null, "stay", "handBack"] as const) ?? null;
    return {
      kind,
      by: random() < 0.2 ? dispatcher(world, random, kind) : memberOf(world, random, crewed.id),
      unit: crewed.id,
      status: oneOf(random, ["available", "available", "available", "break", "break", "unavailable", "busy"] as const) ?? "break",
      choice,
    };
  }
  if (kind === "join")
    return {
      kind,
      by: idlers,
      unit: (prefer(random, units, (u) => !u.dissolved && u.job === world.people[idlers]?.job) ?? any).id,
    };
  if (kind === "leave") return { kind, by: person(world, random, (p) => p.onDuty && unitOf(world, p.id) !== undefined) };
  if (kind === "move") {
    const target =
      random() < 0.2 ? null : (prefer(random, units, (u) => !u.dissolved && u.job === world.people[idlers]?.job) ?? any);
    return {
      kind,
      by: dispatcher(world, random, kind),
      person: target === null ? memberOf(world, random, crewed.id) : idlers,
      unit: target?.id ?? null,
    };
  }
  const free = prefer(random, units, (u) => u.temporary && !u.dissolved) ?? any;
  return kind === "dissolve"
    ? { kind, by: random() < 0.6 ? SYSTEM : person(world, random, () => true), unit: random() < 0.5 ? free.id : any.id }
    : undefined;
};

const drawOther = (world: World, random: Random, kind: Kind): Command | undefined => {
  if (kind === "create") return drawCreate(world, random);
  if (kind === "advance") return { kind, seconds: oneOf(random, waits) ?? 1 };
  if (kind === "panic")
    return {
      kind,
      by:
        prefer(
          random,
          Object.values(world.people).filter((p) => p.job !== "civil"),
          (p) => p.onDuty,
        )?.id ?? SYSTEM,
    };
  if (kind === "duty") {
    const off = random() < 0.35;
    const people = Object.values(world.people).filter((p) => p.desk !== "open" && p.job !== "civil");
    return { kind, by: prefer(random, people, (p) => p.onDuty === off)?.id ?? SYSTEM, on: !off };
  }
  if (kind === "desk") {
    const by = person(world, random, (p) => p.mayDispatch);
    return { kind, by, open: world.people[by]?.desk !== "open" || random() < 0.1 };
  }
  const call = openCall(world, random);
  if (call === undefined) return undefined;
  const unit = someUnit(world, random, call);
  if (kind === "take") return { kind, by: unit === undefined ? SYSTEM : memberOf(world, random, unit.id), call: call.id };
  return unit !== undefined && (kind === "offer" || kind === "assign")
    ? { kind, by: dispatcher(world, random, kind), call: call.id, unit: unit.id }
    : undefined;
};

const sources = [drawCall, drawHistory, drawWork, drawUnit, drawOther] as const;
const callKinds: readonly Kind[] = [
  "edit",
  "note",
  "priority",
  "complete",
  "cancel",
  "callerCancel",
  "split",
  "link",
  "unlink",
  "merge",
];
const historyKinds: readonly Kind[] = ["undo", "reopen", "handOver", "answerHandover"];
const workKinds: readonly Kind[] = ["accept", "decline", "done", "withdraw", "progress", "needHelp", "handBack"];
const unitKinds: readonly Kind[] = ["unitStatus", "join", "leave", "move", "dissolve"];
const sourceOf = (kind: Kind) =>
  sources[[callKinds, historyKinds, workKinds, unitKinds].findIndex((kinds) => kinds.includes(kind))] ?? drawOther;

/** A command of a weighted kind; mostly the first of some tries that is not refused. */
export const draw = (random: Random, world: World): Command => {
  for (let kindsLeft = 6; kindsLeft > 0; kindsLeft -= 1) {
    const kind = kindOf(random);
    const source = sourceOf(kind);
    const wantsValid = random() < valid;
    let last: Command | undefined;
    for (let left = wantsValid ? tries : 1; left > 0; left -= 1) {
      last = source(world, random, kind) ?? last;
      if (last !== undefined && wantsValid && apply(world, last).outcome.kind !== "refused") return last;
    }
    if (last !== undefined && (!wantsValid || kindsLeft === 1)) return last;
  }
  return { kind: "advance", seconds: 1 };
};

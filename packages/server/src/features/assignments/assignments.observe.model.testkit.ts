// What a real system must show after each command, and what may never be.
import type {
  AssignmentState,
  Call,
  CallState,
  Command,
  Id,
  Level,
  Place,
  Range,
  Result,
  StatusKind,
  World,
} from "./assignments.types.model.testkit.ts";
import { isOpen, isWorking, levelOf, openOf, rank, unique, workingOf } from "./assignments.base.model.testkit.ts";
import { callersOf } from "./assignments.calls.model.testkit.ts";

export type Shown = "waiting" | "offered" | "accepted" | "enRoute" | "onScene" | "needsHelp";
/** Null stands for what the specification leaves open: not compared. */
export type SeenCall = {
  readonly state: CallState;
  readonly shown: Shown | null; // only of an open call
  readonly ended: Call["ended"];
  readonly mergedInto: Id | null;
  readonly jobs: readonly Id[] | null;
  readonly levels: Readonly<Record<Id, Level | null>> | null; // a job's level at the highest grade
  readonly priority: number;
  readonly place: Place | "none" | null; // of a panic: where the person is
  readonly alerts: number | null; // one row an alert
  readonly callers: number | null; // different persons; an unknown caller counts as one
  readonly anonymousAlerts: number | null;
  readonly waitSince: number | null;
  readonly links: readonly Id[];
};
export type SeenUnit = {
  readonly status: StatusKind;
  readonly crew: readonly Id[];
  readonly dissolved: boolean;
  readonly current: readonly Id[];
};
export type SeenWork = { readonly call: Id; readonly unit: Id; readonly state: AssignmentState; readonly needsHelp: boolean };
export type Seen = {
  readonly calls: Readonly<Record<Id, SeenCall>>;
  readonly units: Readonly<Record<Id, SeenUnit>>;
  /** Open ones, known by call and unit. */
  readonly open: readonly SeenWork[];
  /** Ended ones that no merge or split has moved, known by id. */
  readonly ended: Readonly<Record<Id, AssignmentState>>;
  readonly timers: {
    readonly offers: readonly { readonly call: Id; readonly unit: Id; readonly due: number }[];
    readonly idle: Readonly<Record<Id, Range>>;
    readonly handovers: Readonly<Record<Id, { readonly to: Id; readonly due: number; readonly reported: boolean }>>;
    readonly temporaryUnits: Readonly<Record<Id, number>>;
  };
};

const names: readonly Shown[] = ["offered", "accepted", "enRoute", "onScene"];
export const shownOf = (world: World, call: Id): Shown => {
  const open = openOf(world, { call });
  if (open.some((a) => isWorking(a.state) && a.needsHelp)) return "needsHelp";
  return names[Math.max(-1, ...open.map((a) => rank(a.state)))] ?? "waiting";
};

/** "the current one has the latest progress": latest in time or furthest, with or without the flag. */
const currentOf = (world: World, unit: Id): Id[] => {
  const working = workingOf(world, { unit });
  const best = (score: (at: number) => number): Id[] => {
    const top = Math.max(...working.map((_, at) => score(at)));
    return working.filter((_, at) => score(at) === top).map((a) => a.call);
  };
  const of = (at: number) => working[at] ?? { since: 0, helpSince: 0, state: "offered" as const };
  const found = [
    ...best((at) => of(at).since),
    ...best((at) => Math.max(of(at).since, of(at).helpSince)),
    ...best((at) => rank(of(at).state)),
  ];
  return unique(found).toSorted();
};

const seeCall = (world: World, call: Call): SeenCall => {
  const callers = callersOf(world, call);
  const settled = call.state === "open" || call.leaving.length === 0;
  return {
    state: call.state,
    shown: call.state === "open" ? shownOf(world, call.id) : null,
    ended: call.ended,
    mergedInto: call.merge?.into ?? null,
    jobs: settled ? call.jobs.toSorted() : null,
    levels: settled ? Object.fromEntries(Object.keys(world.jobs).map((job) => [job, levelOf(world, call, job, 99)])) : null,
    priority: call.priority,
    place: call.panic ? null : (call.place ?? "none"),
    alerts: call.callersKnown ? callers.length : null,
    callers: call.callersKnown ? new Set(callers.map((caller) => caller.person)).size : null,
    anonymousAlerts: call.callersKnown ? callers.filter((caller) => caller.anonymous).length : null,
    waitSince: call.state === "open" && workingOf(world, { call: call.id }).length === 0 ? call.waitSince : null,
    links: call.links.toSorted(),
  };
};

export const observe = (world: World): Seen => {
  const calls = Object.values(world.calls);
  const units = Object.values(world.units);
  const work = Object.values(world.assignments);
  const open = work.filter((a) => isOpen(a.state)).toSorted((a, b) => `${a.call} ${a.unit}`.localeCompare(`${b.call} ${b.unit}`));
  const idle = calls.flatMap((call) =>
    call.state === "open" && call.idle !== null && workingOf(world, { call: call.id }).length === 0
      ? [[call.id, call.idle] as const]
      : [],
  );
  return {
    calls: Object.fromEntries(calls.map((call) => [call.id, seeCall(world, call)])),
    units: Object.fromEntries(
      units.map((u) => [
        u.id,
        { status: u.status, crew: u.crew.toSorted(), dissolved: u.dissolved, current: currentOf(world, u.id) },
      ]),
    ),
    open: open.map((a) => ({ call: a.call, unit: a.unit, state: a.state, needsHelp: isWorking(a.state) && a.needsHelp })),
    ended: Object.fromEntries(work.filter((a) => !isOpen(a.state) && !a.moved).map((a) => [a.id, a.state])),
    timers: {
      offers: open.flatMap((a) => (a.deadline === null ? [] : [{ call: a.call, unit: a.unit, due: a.deadline }])),
      idle: Object.fromEntries(idle),
      handovers: Object.fromEntries(
        calls.flatMap((call) =>
          call.handover === null
            ? []
            : [[call.id, { to: call.handover.to, due: call.handover.due, reported: call.handover.reported }] as const],
        ),
      ),
      temporaryUnits: Object.fromEntries(
        units.flatMap((u) => (u.temporary && !u.dissolved && u.emptySince !== null ? [[u.id, u.emptySince + 900] as const] : [])),
      ),
    },
  };
};

export const invariants = (world: World): string[] => {
  const broken: string[] = [];
  const check = (holds: boolean, text: string): void => {
    if (!holds) broken.push(text);
  };
  for (const person of Object.keys(world.people)) {
    check(Object.values(world.units).filter((u) => u.crew.includes(person)).length <= 1, `${person} is in two units`);
  }
  const pairs = openOf(world, {}).map((a) => `${a.call} ${a.unit}`);
  check(new Set(pairs).size === pairs.length, "two open assignments of a unit and call");
  for (const a of openOf(world, {})) {
    const [call, unit] = [world.calls[a.call], world.units[a.unit]];
    check(call?.state === "open", `${a.id} is open on a call that is not`);
    check(unit?.dissolved === false, `${a.id} is open for a dissolved unit`);
    check((a.state === "offered") === (a.deadline !== null), `${a.id}: an offer, and only an offer, has a deadline`);
    check(a.deadline === null || a.deadline > world.now, `${a.id} is offered after its deadline`);
  }
  for (const call of Object.values(world.calls)) {
    const { id, merge, state } = call;
    check((state === "merged") === (merge !== null), `${id}: merged, and only merged, names its survivor`);
    check(merge === null || (world.calls[merge.into]?.order ?? Infinity) < call.order, `${id} is merged into a younger call`);
    check(
      (state === "open") === (call.ended === null) && (state === "open") === (call.endedAt === null),
      `${id}: state and end differ`,
    );
    check(state === "open" || (call.idle === null && call.handover === null), `${id} has timers after its end`);
    check(!call.panic || (call.idle === null && call.ended !== "tooOld"), `${id}: a panic is never idle`);
    check(call.jobs.length > 0 && call.jobs.length === new Set(call.jobs).size, `${id}: jobs ${call.jobs.join()}`);
    check(
      call.leaving.every((job) => call.jobs.includes(job)),
      `${id}: a job leaves that is not there`,
    );
    check(
      call.links.every((other) => other !== id && world.calls[other]?.links.includes(id) === true),
      `${id}: links differ at their ends`,
    );
    check(call.priority >= 1 && call.priority <= 4, `${id}: priority ${call.priority}`);
  }
  for (const unit of Object.values(world.units)) {
    check(!(unit.isStatic && unit.status === "available"), `${unit.id} is static and available`);
    check(!unit.dissolved || unit.crew.length === 0, `${unit.id} is dissolved with a crew`);
    check((unit.emptySince !== null) === (unit.crew.length === 0 && !unit.dissolved), `${unit.id}: empty since and crew differ`);
    check(
      unit.crew.every((id) => world.people[id]?.job === unit.job),
      `${unit.id} has a member of another job`,
    );
    check(!unit.temporary || unit.emptySince === null || world.now < unit.emptySince + 900, `${unit.id} is empty too long`);
  }
  return broken;
};

const onDutyOnly: readonly Command["kind"][] = [
  "accept",
  "decline",
  "take",
  "progress",
  "handBack",
  "unitStatus",
  "join",
  "panic",
  "offer",
  "assign",
  "merge",
  "undo",
  "split",
  "edit",
  "priority",
];
/** What may not happen between two states, for every alternative of a result. */
export const brokenBetween = (before: World, command: Command, result: Result): string[] => {
  if (result.outcome.kind === "either") return result.outcome.of.flatMap((one) => brokenBetween(before, command, one));
  const after = result.world;
  if (result.outcome.kind === "refused") return after === before ? [] : ["a refused command changed something"];
  const broken = invariants(after);
  for (const a of Object.values(before.assignments)) {
    const now = after.assignments[a.id];
    if (!isOpen(a.state) && now?.state !== a.state) broken.push(`${a.id} revived or changed after its end`);
    if (now === undefined || now.version < a.version) broken.push(`${a.id} lost its version`);
  }
  for (const call of Object.values(before.calls)) {
    const now = after.calls[call.id];
    if (now === undefined) broken.push(`${call.id} vanished`);
    else if (call.state !== "open" && now.state !== call.state && command.kind !== "reopen" && command.kind !== "undo")
      broken.push(`${call.id} came back by ${command.kind}`);
    else if (call.merge !== null && command.kind !== "undo" && now.state !== "merged")
      broken.push(`${call.id} is merged no more`);
  }
  if (after.now < before.now) broken.push("the clock ran backwards");
  if (command.kind !== "advance" && onDutyOnly.includes(command.kind) && before.people[command.by]?.onDuty === false)
    broken.push(`${command.kind} by a person off duty`);
  return broken;
};

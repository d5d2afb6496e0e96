// Section 4 (crews), section 1 (duty, desks) and the clock.
import type { Assignment, Call, CommandOf, Id, Result, Unit, World } from "./assignments.types.model.testkit.ts";
import type { Demand } from "./assignments.base.model.testkit.ts";
import {
  any,
  crewChanged,
  crewOnDuty,
  decide,
  dropWork,
  endCall,
  isDOfJob,
  isPerson,
  isS,
  openOf,
  patchCall,
  patchPerson,
  patchUnit,
  setState,
  settleEnds,
  sure,
  touchPerhaps,
  unitOf,
  unlessSure,
  workingOf,
} from "./assignments.base.model.testkit.ts";

const TEMPORARY = 900;
const gone = (world: World): Result => ({ world, outcome: { kind: "refused", reasons: ["notFound", "notAllowed"] } });

/** Last member gone: unavailable. Only *duty ended* and *dissolved* name what becomes of the work. */
const removeFrom = (world: World, unit: Unit, person: Id): World[] => {
  const without = patchUnit(world, unit.id, { crew: unit.crew.filter((id) => id !== person) });
  const last = crewOnDuty(world, unit.id) > 0 && crewOnDuty(without, unit.id) === 0;
  const kept = crewChanged(world, without, unit.id);
  if (!last || openOf(world, { unit: unit.id }).length === 0) return kept;
  return [...afterLast(world, without, unit.id), ...kept];
};
/** Work ends first; "last member gone: unavailable" wins over the status after work. */
const afterLast = (before: World, without: World, unit: Id): World[] =>
  settleEnds(without, dropWork(without, unit))
    .flatMap((w) => crewChanged(before, w, unit))
    .map((w) => patchUnit(w, unit, { status: "unavailable", remembered: null }));

const transfer = (world: World, person: Id, target: Unit | null): World[] => {
  const from = unitOf(world, person);
  if (from?.id === target?.id) return [world];
  const out = from === undefined ? [world] : removeFrom(world, from, person);
  return out.flatMap((w) => {
    const unit = target === null ? undefined : w.units[target.id];
    return unit === undefined ? [w] : crewChanged(w, patchUnit(w, unit.id, { crew: [...unit.crew, person] }), unit.id);
  });
};
const leavesWork = (world: World, person: Id, target: Unit | null): boolean => {
  const from = unitOf(world, person);
  if (from === undefined || from.id === target?.id) return false;
  const others = from.crew.some((id) => id !== person && world.people[id]?.onDuty === true);
  return !others && openOf(world, { unit: from.id }).length > 0;
};

/** Joining checks the target first, then moves in one transaction. */
export const join = (world: World, c: CommandOf<"join">): Result => {
  const [person, unit] = [isPerson(world, c.by), world.units[c.unit]];
  if (person === undefined || unit === undefined) return gone(world);
  const demands: Demand[] = [
    [sure(person.onDuty), "notAllowed", "wrongState", "invalid"],
    [sure(!unit.dissolved), "notFound", "wrongState", "invalid"],
    [sure(unit.job === person.job), "notAllowed", "invalid"],
    [unlessSure(!unit.crew.includes(person.id)), "wrongState", "invalid"],
    [unlessSure(!leavesWork(world, person.id, unit)), "wrongState", "invalid"],
  ];
  return decide(world, demands, () => transfer(world, person.id, unit));
};
export const leave = (world: World, c: CommandOf<"leave">): Result => {
  const person = isPerson(world, c.by);
  if (person === undefined) return gone(world);
  const demands: Demand[] = [
    [unlessSure(unitOf(world, person.id) !== undefined), "wrongState", "invalid", "notFound", "notAllowed"],
    [unlessSure(person.onDuty), "notAllowed", "wrongState", "invalid"],
    [unlessSure(!leavesWork(world, person.id, null)), "wrongState", "invalid"],
  ];
  return decide(world, demands, () => transfer(world, person.id, null));
};
/** A dispatcher of the unit's job moves others of that job. */
export const move = (world: World, c: CommandOf<"move">): Result => {
  const person = world.people[c.person];
  const target = c.unit === null ? null : world.units[c.unit];
  if (person === undefined || target === undefined) return gone(world);
  const from = unitOf(world, person.id);
  const job = target?.job ?? from?.job ?? person.job;
  const demands: Demand[] = [
    [isDOfJob(world, c.by, job), "notAllowed"],
    [unlessSure(target === null ? from !== undefined : target.id !== from?.id), "invalid", "wrongState", "notFound"],
    [target === null ? unlessSure(person.onDuty) : sure(person.onDuty), "notAllowed", "wrongState", "invalid"],
    [sure(target === null || !target.dissolved), "notFound", "wrongState", "invalid"],
    [sure(target === null || target.job === person.job), "notAllowed", "invalid"],
    [unlessSure(isPerson(world, c.by)?.job === job), "notAllowed"],
    [unlessSure(!leavesWork(world, person.id, target)), "wrongState", "invalid"],
  ];
  return decide(world, demands, () => transfer(world, person.id, target));
};

/** Duty by the game; whether a person off duty stays in the crew is not specified. */
export const duty = (world: World, c: CommandOf<"duty">): Result => {
  const person = isPerson(world, c.by);
  if (person === undefined) return gone(world);
  return decide(world, [], () => {
    if (person.onDuty === c.on) return [world];
    const after = patchPerson(world, person.id, { onDuty: c.on });
    const unit = unitOf(world, person.id);
    if (unit === undefined) return [after];
    if (c.on) return crewChanged(world, after, unit.id);
    const removed = patchUnit(after, unit.id, { crew: unit.crew.filter((id) => id !== person.id) });
    return [removed, after].flatMap((w) =>
      crewOnDuty(world, unit.id) > 0 && crewOnDuty(w, unit.id) === 0
        ? afterLast(world, w, unit.id)
        : crewChanged(world, w, unit.id),
    );
  });
};
export const desk = (world: World, c: CommandOf<"desk">): Result => {
  const person = isPerson(world, c.by);
  if (person === undefined) return gone(world);
  const demands: Demand[] = c.open
    ? [
        [sure(person.mayDispatch), "notAllowed"],
        [unlessSure(person.onDuty), "notAllowed", "wrongState"],
      ]
    : [];
  return decide(world, demands, () => {
    if (!c.open && person.desk !== "open") return [world];
    return [patchPerson(world, person.id, { desk: c.open ? "open" : { closedAt: world.now } })];
  });
};

/** unit dissolved: offers withdrawn, work left. By an administrator of the units, whom SYSTEM stands for. */
export const dissolve = (world: World, c: CommandOf<"dissolve">): Result => {
  const unit = world.units[c.unit];
  if (unit === undefined) return gone(world);
  const demands: Demand[] = [
    [any(isS(c.by), isDOfJob(world, c.by, unit.job) === "no" ? "no" : "perhaps"), "notAllowed"],
    [sure(!unit.dissolved), "notFound", "wrongState"],
    [unlessSure(workingOf(world, { unit: unit.id }).length === 0), "wrongState"],
  ];
  return decide(world, demands, () => dissolveNow(world, unit.id));
};
const dissolveNow = (world: World, id: Id): World[] => {
  const closed = patchUnit(world, id, { dissolved: true, crew: [], status: "unavailable", remembered: null, emptySince: null });
  return settleEnds(closed, dropWork(closed, id));
};

const mayIdle = (world: World, call: Call): boolean =>
  call.state === "open" && !call.panic && call.idle !== null && workingOf(world, { call: call.id }).length === 0;

/** A timer whose start is not specified fires at one of its ends. */
const fixIdle = (world: World, until: number): World[] => {
  let worlds: World[] = [world];
  for (const call of Object.values(world.calls)) {
    const idle = call.idle;
    if (idle === null || !mayIdle(world, call) || idle.from === idle.to || idle.from > until) continue;
    const late = { from: Math.max(Math.min(idle.to, until + 1), idle.from), to: idle.to };
    worlds = worlds.flatMap((w) => [
      patchCall(w, call.id, { idle: { from: idle.from, to: idle.from } }),
      patchCall(w, call.id, { idle: idle.to <= until ? { from: idle.to, to: idle.to } : late }),
    ]);
  }
  return worlds;
};

type Event = { readonly at: number; readonly run: (world: World) => World[] };
const eventsOf = (world: World): Event[] => [
  ...Object.values(world.assignments).flatMap((a: Assignment): Event[] =>
    a.state === "offered" && a.deadline !== null
      ? [{ at: a.deadline, run: (w) => settleEnds(w, setState(w, a.id, "expired")) }]
      : [],
  ),
  ...Object.values(world.calls).flatMap((call: Call): Event[] => [
    ...(mayIdle(world, call) && call.idle !== null && call.idle.from === call.idle.to
      ? [{ at: call.idle.from, run: (w: World) => endCall(w, call.id, "tooOld") }]
      : []),
    ...(call.state === "open" && call.handover !== null && !call.handover.reported
      ? [
          {
            at: call.handover.due,
            run: (w: World) => [
              touchPerhaps(
                patchCall(w, call.id, { handover: call.handover === null ? null : { ...call.handover, reported: true } }),
                call.id,
              ),
            ],
          },
        ]
      : []),
  ]),
  ...Object.values(world.units).flatMap((unit: Unit): Event[] =>
    unit.temporary && !unit.dissolved && unit.emptySince !== null
      ? [{ at: unit.emptySince + TEMPORARY, run: (w) => dissolveNow(w, unit.id) }]
      : [],
  ),
];

const runUntil = (world: World, until: number): World[] => {
  const due = eventsOf(world)
    .filter((event) => event.at <= until)
    .toSorted((a, b) => a.at - b.at)[0];
  if (due === undefined) return [{ ...world, now: until, alerts: world.alerts.filter((a) => until < a.at + 600) }];
  const at = { ...world, now: Math.max(world.now, due.at) };
  return due
    .run(at)
    .flatMap((w) => fixIdle(w, until))
    .flatMap((w) => runUntil(w, until));
};

/** Offers expire, idle calls end as too old, temporary units dissolve, a hand over without answer is reported. */
export const advance = (world: World, c: CommandOf<"advance">): Result => {
  const until = world.now + c.seconds;
  return decide(world, [[sure(c.seconds > 0), "invalid"]], () => fixIdle(world, until).flatMap((w) => runUntil(w, until)));
};

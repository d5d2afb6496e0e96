// Section 2: merge, undo, split, link.
import type { Assignment, Call, CommandOf, Id, Moved, Progress, Result, World } from "./assignments.types.model.testkit.ts";
import type { Demand, Sure } from "./assignments.base.model.testkit.ts";
import {
  addAssignment,
  all,
  any,
  decide,
  IDLE,
  isD,
  isDOfJob,
  openOf,
  patchAssignment,
  patchCall,
  rank,
  settleEnds,
  sure,
  touchPerhaps,
  unique,
  unlessSure,
  leaveJobs,
} from "./assignments.base.model.testkit.ts";
import { addCall, callOpen } from "./assignments.calls.model.testkit.ts";

const gone = (world: World): Result => ({ world, outcome: { kind: "refused", reasons: ["notFound", "notAllowed"] } });
const onEvery = (world: World, by: Id, calls: readonly Call[]): Sure =>
  all(
    ...unique(calls.flatMap((call) => call.jobs)).map((job) => isDOfJob(world, by, job)),
    ...calls.map((call) => isD(world, by, call)),
  );
const progressOf = (a: Assignment): Progress => ({ state: a.state, needsHelp: a.needsHelp, deadline: a.deadline });

/** One unit's work moves from the merged call to the survivor; on both the further progress stays. */
const moveOne = (world: World, from: Assignment, into: Id): { worlds: World[]; moved: (w: World) => Moved } => {
  const twin = openOf(world, { call: into, unit: from.unit })[0];
  const keep = twin?.id ?? from.id;
  const touched = world.units[from.unit]?.touched ?? 0;
  const moved = (w: World): Moved => ({
    unit: from.unit,
    assignment: keep,
    since: w.assignments[keep]?.since ?? 0,
    version: w.assignments[keep]?.version ?? 0,
    touched,
    own: progressOf(from),
    twin: twin === undefined ? null : progressOf(twin),
  });
  if (twin === undefined) return { worlds: [patchAssignment(world, from.id, { call: into, moved: true })], moved };
  const dropped = patchAssignment(world, from.id, { state: "withdrawn", deadline: null, moved: true });
  const further = rank(from.state) > rank(twin.state) ? from : twin;
  const since = Math.max(from.since, twin.since);
  const kept = (patch: Partial<Assignment>): World =>
    patchAssignment(dropped, keep, { ...progressOf(further), since, moved: true, blurred: true, ...patch });
  const worlds = [kept({})];
  if (from.needsHelp !== twin.needsHelp && rank(from.state) >= 1 && rank(twin.state) >= 1)
    worlds.push(kept({ needsHelp: !further.needsHelp }));
  if (from.state === "offered" && twin.state === "offered" && from.deadline !== twin.deadline)
    worlds.push(kept({ deadline: from.deadline }));
  return { worlds, moved };
};

const uniteInto = (world: World, lost: Call, kept: Call, uniteJobs: boolean): World[] => {
  let states: { world: World; moved: Moved[] }[] = [{ world, moved: [] }];
  for (const a of openOf(world, { call: lost.id })) {
    states = states.flatMap((s) => {
      const from = s.world.assignments[a.id];
      if (from === undefined) return [s];
      const step = moveOne(s.world, from, kept.id);
      return step.worlds.map((w) => ({ world: w, moved: [...s.moved, step.moved(w)] }));
    });
  }
  const waits = [lost.waitSince, kept.waitSince];
  return states.flatMap((s) => {
    const merge = { into: kept.id, moved: s.moved, priority: kept.priority, jobs: kept.jobs, place: kept.place };
    const closed = patchCall(s.world, lost.id, {
      state: "merged",
      ended: "merged",
      endedAt: s.world.now,
      idle: null,
      handover: null,
      merge,
    });
    const united = patchCall(closed, kept.id, {
      priority: Math.min(lost.priority, kept.priority),
      waitSince: waits[0] === null || waits[1] === null ? null : Math.min(waits[0] ?? 0, waits[1] ?? 0),
      jobs: uniteJobs ? unique([...kept.jobs, ...lost.jobs]) : kept.jobs,
      callersKnown: kept.callersKnown && lost.callersKnown,
      accepted: [...kept.accepted, ...lost.accepted].toSorted((a, b) => a.at - b.at),
    });
    const placed =
      kept.place === null && lost.place !== null ? [united, patchCall(united, kept.id, { place: lost.place })] : [united];
    return placed.flatMap((w) => settleEnds(world, touchPerhaps(w, kept.id)));
  });
};

/** "merge into open X: D on every job of both"; the survivor is the older one. */
export const merge = (world: World, c: CommandOf<"merge">): Result => {
  const [call, into] = [world.calls[c.call], world.calls[c.into]];
  if (call === undefined || into === undefined) return gone(world);
  const older = call.order < into.order ? call : into;
  const newer = older === call ? into : call;
  const demands: Demand[] = [
    callOpen(call),
    callOpen(into),
    [sure(call.id !== into.id), "invalid"],
    [onEvery(world, c.by, [call, into]), "notAllowed"],
    [unlessSure(older === into), "invalid", "wrongState"],
    [unlessSure(!call.panic && !into.panic), "invalid", "wrongState"],
  ];
  return decide(world, demands, () => uniteInto(world, newer, older, c.uniteJobs));
};

/** One unit goes back to the call it came from, "unless they changed status since". */
const returnOne = (world: World, lost: Id, kept: Id, m: Moved): World[] => {
  const a = world.assignments[m.assignment];
  if (a === undefined || a.call !== kept || rank(a.state) < 0) return [world];
  const changed = a.since !== m.since;
  if (changed && !a.blurred) return [world];
  const back = patchAssignment(world, a.id, { call: lost, moved: true });
  const again = (call: Id, p: Progress): World => {
    const passed = p.deadline !== null && p.deadline <= world.now;
    return passed ? world : addAssignment(world, { ...p, call, unit: m.unit, moved: true, blurred: true });
  };
  if (m.twin !== null) {
    const both = again(lost, m.own);
    const former =
      both === world ? world : patchAssignment(both, a.id, { ...(rank(m.twin.state) >= 1 && !changed ? m.twin : {}) });
    return [both, former, back, world];
  }
  const certain = a.version === m.version && world.units[m.unit]?.touched === m.touched && !a.blurred;
  return certain ? [back] : [back, world];
};

/** merged, undo: "the same, while X is open". */
export const undo = (world: World, c: CommandOf<"complete" | "callerCancel" | "undo">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const done = call.merge;
  const kept = done === null ? undefined : world.calls[done.into];
  if (call.state !== "merged" || done === null || kept === undefined) {
    return decide(world, [["no", "wrongState", "notAllowed", "invalid"]], () => [world]);
  }
  const demands: Demand[] = [
    [sure(kept.state === "open"), "wrongState"],
    [onEvery(world, c.by, [call, kept]), "notAllowed"],
  ];
  return decide(world, demands, () => {
    const idle = { from: world.now + 1, to: world.now + IDLE };
    let worlds = [
      patchCall(world, call.id, {
        state: "open",
        ended: null,
        endedAt: null,
        merge: null,
        waitSince: null,
        idle: call.panic ? null : idle,
      }),
    ];
    worlds = worlds.flatMap((w) => [w, patchCall(w, kept.id, { priority: done.priority })]);
    worlds = worlds.flatMap((w) => [w, patchCall(w, kept.id, { place: done.place })]);
    worlds = [...new Map(worlds.map((w) => [JSON.stringify(w), w])).values()];
    // Jobs that the merge ticked may go again; what was handed over since stays.
    const ticked = call.jobs.filter((job) => !done.jobs.includes(job));
    const jobs = kept.jobs.filter((job) => !ticked.includes(job));
    const leaving = kept.leaving.filter((job) => !ticked.includes(job));
    if (jobs.some((job) => !leaving.includes(job))) worlds = worlds.flatMap((w) => [w, patchCall(w, kept.id, { jobs, leaving })]);
    worlds = worlds.map((w) => patchCall(w, kept.id, { waitSince: null, callersKnown: kept.callersKnown }));
    for (const m of done.moved) worlds = worlds.flatMap((w) => returnOne(w, call.id, kept.id, m));
    const known = new Map(worlds.map((w) => [JSON.stringify(w), w]));
    return [...known.values()].flatMap((w) => settleEnds(world, touchPerhaps(leaveJobs(w, call.id), kept.id)));
  });
};

/** open, split {units, notes}: D; units move with their state, notes are copied, both linked. */
export const split = (world: World, c: CommandOf<"split">): Result => {
  const call = world.calls[c.call];
  if (call === undefined) return gone(world);
  const open = openOf(world, { call: call.id });
  const demands: Demand[] = [
    callOpen(call),
    [isD(world, c.by, call), "notAllowed"],
    [sure(c.units.every((unit) => open.some((a) => a.unit === unit))), "invalid", "wrongState", "notFound"],
    [sure(c.notes <= call.notes), "invalid", "notFound"],
    [unlessSure(c.units.length > 0), "invalid"],
    [unlessSure(!call.panic), "invalid", "wrongState"],
  ];
  return decide(world, demands, () => {
    const id = `c${world.next}`;
    let after = addCall(world, {
      type: call.type,
      panic: false,
      jobs: call.jobs,
      priority: call.priority,
      place: call.place,
      callers: [],
      callersKnown: false,
      lastAlert: null,
      notes: c.notes,
      waitSince: null,
      links: [call.id],
      splitFrom: call.id,
      viewers: call.viewers,
      leaving: call.leaving,
      accepted: call.accepted.filter((e) => c.units.includes(e.unit)),
    });
    after = patchCall(after, call.id, { links: unique([...call.links, id]) });
    for (const a of open.filter((one) => c.units.includes(one.unit)))
      after = patchAssignment(after, a.id, { call: id, moved: true });
    const left = leaveJobs(touchPerhaps(after, call.id), id);
    return settleEnds(world, left);
  });
};

/** "both linked": only the split names links; who links by hand is not in the table. */
export const link = (world: World, c: CommandOf<"link" | "unlink">): Result => {
  const [call, other] = [world.calls[c.call], world.calls[c.other]];
  if (call === undefined || other === undefined) return gone(world);
  const both = [isD(world, c.by, call), isD(world, c.by, other)];
  const open = [call.state === "open", other.state === "open"];
  const linked = call.links.includes(other.id);
  const demands: Demand[] = [
    [open.every(Boolean) ? "yes" : open.some(Boolean) ? "perhaps" : "no", "wrongState"],
    [both.every((one) => one === "yes") ? "yes" : any(...both) === "no" ? "no" : "perhaps", "notAllowed"],
    [sure(call.id !== other.id), "invalid"],
    [unlessSure(linked === (c.kind === "unlink")), "invalid", "wrongState", "notFound"],
  ];
  return decide(world, demands, () => {
    const set = (one: Call, target: Id): readonly Id[] =>
      c.kind === "link" ? unique([...one.links, target]) : one.links.filter((id) => id !== target);
    const after = patchCall(patchCall(world, call.id, { links: set(call, other.id) }), other.id, { links: set(other, call.id) });
    return [touchPerhaps(touchPerhaps(after, call.id), other.id)];
  });
};

// A model of calls, assignments and units for property tests, written from the
// decisions on modules (sections 1 to 4) alone. `apply` is pure; `allowed` lists every result
// that the specification permits; a harness goes on with the one whose `observe` agrees.
// A refusal holds all reasons that apply, any of which may be named. Ids of calls and assignments
// are those of the model; a harness keeps the real ones beside them by order of creation.
//
// Where the sentence is silent, both behaviours are results (*either*):
//  1 "D: dispatcher of one of its jobs": somebody on duty with the right, but with no desk open.
//  2 "a block by one of them wins": over the level of a job that is itself on the call.
//  3 "within 45 m ...; without a place only from the same caller": only one of the two has a place;
//    a caller who is not the first one; one who is anonymous in one of them; alerts of a merged call; a call that a split made or that was handed over; several
//    calls fit. A fold with a higher priority: the call takes it or not.
//  4 "a person at most 3 calls a minute", "1 a minute, 3 in 10 min": whether folded alerts, repeated
//    presses, presses as calls, and calls written by S for a person count.
//  5 "jobs that share": an offer below the minimum grade, an offer in the other direction, a public job that blocks.
//  6 "first accepted unit": after it left, after reopen, merge or split; of a panic ("later D ends it").
//  7 "the caller before anybody accepted": with several callers, after reopen, in the parts of a split.
//  8 "later D ends it as real, false or test": whether as cancelled too; by S or the first unit;
//    priority, merge, split, hand over and reopen of a panic; `done` of its last unit.
//  9 "last working assignment done: setting": jobs of the call whose settings differ.
// 10 "merge into open X", "the survivor (the older)": X is the younger: refused, or the older survives.
// 11 "A unit on both keeps the further progress": the flag, and the deadline of two offers.
// 12 "Undo restores its timeline, callers, place and jobs": priority, ticked jobs and place of the survivor
//    go back or stay; whether a unit that was on both returns, stays, or is on both again.
// 13 "units return unless they changed status since": only the flag or the unit's own status changed.
// 14 "timers of the merged call stop": how long the idle timer of an undone call has left.
// 15 "idle timer again" stands at edit, note, attach, priority: other changes (fold, offer, accept, progress, link,
//    split, merge) may restart it. The timer is a range, and between its ends the call may end or not.
// 16 "split {units, notes}": without units; the callers and the wait clock of the new call (not compared).
// 17 "both linked": who links by hand, a link with one ended call, a link that is there already.
// 18 "U within 10 min": a unit that worked the call, but not when it ended.
// 19 "60 s without answer: A learns it": an answer after that; a job that A may not call; a D of B who closed the desk less than 2 min ago; a second hand over while one waits; to a job on the
//    call; by a D of the call who is not of A; a job that left meanwhile; whether A leaves at reopen or stays.
// 20 "offer: D", "assign: D", "take: member": a unit that is unavailable, static or under its minimum crew, or
//    of no job of the call; the unit has the call already (no change, accepted, or refused).
// 21 "manual, automatic or simplified in force", "not in central command": jobs of call and unit in different modes.
// 22 "U": a member of another unit on the same call; a member whose job has less than *participate*.
// 23 "a flag needs help": by D or S; whether it makes a unit busy that is not; set to what it is.
// 24 "another working state": the same state again.
// 25 "Commands carry the version they saw": whether a merge, undo or split changes the version.
// 26 "last member's duty ended": whether that person stays in the crew. The last member leaves, joins elsewhere or
//    is moved with open work: refused, the work ends as at the end of duty, or it stays.
// 27 "under minimum crew: unavailable": with work open; one fewer in a unit that was under it already.
//    "minimum crew reached again": with work open.
// 28 "last open assignment ended: available, or break if it was that": of a unit unavailable by then, static, or
//    busy by hand where only an offer ended; of one that is still asked for another call.
// 29 "hand back or stay": only offers are open; what becomes of offers at hand back (offered, declined, withdrawn);
//    hand back by the choice in central command.
// 30 Available set with work open; busy set for a static unit; any but *unavailable* set under the minimum crew.
// 31 "Joining": the own unit; leaving off duty or without a unit; a move by a D of another job with *dispatch*.
// 32 Dissolving with work open, or by a D (units are administered by a right of their own; SYSTEM stands for it).
//
// Read one way only; worth a look where a real system differs:
//  a "unit: available, or break if it was that": literally, also when it was unavailable or busy by hand; with
//    the setting *ask* the unit stays busy until somebody sets a status.
//  b "the second of two accepts learns who was first" is about one assignment; a second unit may accept its own offer.
//  c A manual offer lasts 15 s at priority 1, else 30 s; a later priority moves no deadline.
//  d Idle begins again when the last working unit is gone. "Not worked" includes offered.
//  e "On duty with a desk open (2 min grace)": the grace is for the desk, not for duty.
//  f "duty ends at `at`, without grace": other members keep the work; of the last one the unit is unavailable at the end.
//  g The parts of a split have the jobs, type, priority and place of the call; a survivor keeps its type.
//  h S may do what a row names it for; mode and settings of a unit are those of its job.
//  i "callers add up": alerts are rows, callers are different persons; both are observed.
//  j *take* needs *participate*, as U does; "not seen" and "not allowed" are one refusal.
//  k The version of a call itself is not modelled: only assignments refuse what is out of date.
//
// Not modelled, or not drawn: the offer ladder, automatic mode and its choice, storms (20 and 200 a minute),
// places, alarms and sounds, archive, missing and uncertain people, custom statuses, reminders, attachments,
// duty in a second job, dispatch without duty, several commands with one key. Not drawn: work for static units,
// merge and split of panics, duty off with an open desk (whether the desk is open afterwards), alerts of S
// without a caller, a panic of a job without a centre, commands of S that no row gives to S.

import type { Command, Result, World } from "./assignments.types.model.testkit.ts";
import {
  answer,
  done,
  handBack,
  needHelp,
  offerOrAssign,
  progress,
  take,
  unitStatus,
  withdraw,
} from "./assignments.work.model.testkit.ts";
import {
  answerHandover,
  callerCancel,
  cancel,
  complete,
  create,
  edit,
  handOver,
  panic,
  reopen,
} from "./assignments.calls.model.testkit.ts";
import { link, merge, split, undo } from "./assignments.merge.model.testkit.ts";
import { advance, desk, dissolve, duty, join, leave, move } from "./assignments.units.model.testkit.ts";

export type * from "./assignments.types.model.testkit.ts";
export { SYSTEM } from "./assignments.types.model.testkit.ts";
export { brokenBetween, invariants, observe } from "./assignments.observe.model.testkit.ts";
export type { Seen, SeenCall } from "./assignments.observe.model.testkit.ts";

/** One command on one state, without side effects. */
export const apply = (world: World, command: Command): Result => {
  switch (command.kind) {
    case "create":
      return create(world, command);
    case "panic":
      return panic(world, command);
    case "edit":
    case "note":
    case "priority":
      return edit(world, command);
    case "complete":
      return complete(world, command);
    case "cancel":
      return cancel(world, command);
    case "callerCancel":
      return callerCancel(world, command);
    case "merge":
      return merge(world, command);
    case "undo":
      return undo(world, command);
    case "split":
      return split(world, command);
    case "link":
    case "unlink":
      return link(world, command);
    case "reopen":
      return reopen(world, command);
    case "handOver":
      return handOver(world, command);
    case "answerHandover":
      return answerHandover(world, command);
    case "offer":
    case "assign":
      return offerOrAssign(world, command);
    case "take":
      return take(world, command);
    case "accept":
    case "decline":
      return answer(world, command);
    case "withdraw":
      return withdraw(world, command);
    case "done":
      return done(world, command);
    case "progress":
      return progress(world, command);
    case "needHelp":
      return needHelp(world, command);
    case "handBack":
      return handBack(world, command);
    case "unitStatus":
      return unitStatus(world, command);
    case "join":
      return join(world, command);
    case "leave":
      return leave(world, command);
    case "move":
      return move(world, command);
    case "duty":
      return duty(world, command);
    case "desk":
      return desk(world, command);
    case "dissolve":
      return dissolve(world, command);
    case "advance":
      return advance(world, command);
  }
};

/** All results that the specification allows: one, or the alternatives of *either*. */
export const allowed = (world: World, command: Command): readonly Result[] => {
  const result = apply(world, command);
  return result.outcome.kind === "either" ? result.outcome.of : [result];
};

import * as calls from "#features/calls/calls.contract.ts";
import { signOff, signOn } from "#features/desk/desk.contract.ts";
import { beginDuty, endDuty } from "#features/duty/duty.contract.ts";
import { cancelPanic, endPanic, pressPanic } from "#features/panic/panic.contract.ts";
import { joinUnit, leaveUnit, moveMember, removeUnit, setStatus } from "#features/units/units.contract.ts";
import type { OperationDefinition } from "#core/contract/index.ts";
import { testSecrets } from "#testkit/app.ts";
import * as work from "./assignments.contract.ts";
import type { Names, Real } from "./assignments.seen.testkit.ts";
import { postalAt, type Stage, windowOf } from "./assignments.stage.testkit.ts";
import { type Command, type CommandOf, type Id, type Reason, SYSTEM, type World } from "./assignments.model.testkit.ts";

/** What the program answered. */
export type Answered =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly reasons: readonly Reason[]; readonly text: string };

/** What the program has no operation for; it is not sent, and the model does not go on with it. */
export function leftOut(world: World, command: Command): string | null {
  if (command.kind === "advance") return null;
  const { kind, by } = command;
  const person = world.people[by];
  // The game creates calls, and nothing else of what S may do.
  if (by === SYSTEM && kind !== "create" && kind !== "dissolve") return "the server itself";
  // A right alone dispatches, on duty or not: *dispatch without duty* is not modelled.
  if (person?.mayDispatch === true && !person.onDuty && kind !== "duty" && kind !== "desk") return "a dispatcher off duty";
  // Who asks is always the job of the person.
  if (kind === "handOver" && person?.job !== command.from) return "handing over for another job";
  // The game says it again without an effect, and a person is refused.
  if (kind === "duty" && person?.onDuty === command.on) return "duty as it is";
  return null;
}

const byStatus: Readonly<Record<number, readonly Reason[]>> = {
  400: ["invalid"],
  403: ["notAllowed"],
  404: ["notFound"],
  409: ["wrongState", "invalid", "overtaken"],
};

interface Context {
  readonly stage: Stage;
  readonly world: World;
  readonly real: Real;
  readonly names: Names;
}

type Sent = (operation: OperationDefinition, input: object, as?: string) => Promise<Answered>;

/** Sends a command as its person does. */
export async function send(context: Context, command: Command): Promise<Answered> {
  const { stage } = context;
  if (command.kind === "advance") {
    await stage.advance(command.seconds);
    return { kind: "done" };
  }
  const actor = stage.people.get(command.by);
  const sent: Sent = async (operation, input, token) => {
    const ask = async (as: string) => await stage.app.call(operation, input, { token: as });
    let answer = await ask(token ?? actor!.token);
    if (answer.status === 401 && actor !== undefined) {
      // The token has expired with the clock.
      const renewed = { ...actor, token: await stage.tokenOf(actor) };
      stage.people.set(command.by, renewed);
      answer = await ask(renewed.token);
    }
    if (answer.status < 300) return { kind: "done" };
    const reasons = byStatus[answer.status];
    if (reasons === undefined) throw new Error(`${operation.id} answered ${answer.status} ${answer.text}`);
    return {
      kind: "refused",
      reasons: answer.text.includes('.stale"') ? ["overtaken"] : reasons,
      text: answer.text.slice(0, 200),
    };
  };
  if ("call" in command) return await sendOfCall(context, command, sent);
  if ("assignment" in command) return await sendOfWork(context, command, sent);
  return await sendOther(context, command, sent);
}

type OfCall = Extract<Command, { readonly call: Id }>;
type OfWork = Extract<Command, { readonly assignment: Id }>;
type Other = Exclude<Command, OfCall | OfWork | CommandOf<"advance">>;

const unknown = 999_999;

async function sendOfCall(context: Context, command: OfCall, sent: Sent): Promise<Answered> {
  const { real, names } = context;
  const numberOf = (id: Id) => names.calls.get(id) ?? unknown;
  const id = numberOf(command.call);
  const row = real.calls.get(id);
  const version = row?.version ?? 1;
  const panic = row?.kind === "panic" ? real.panics.get(id) : undefined;
  const params = { id };
  const unit = (name: Id) => names.units.get(name) ?? unknown;
  const content = { version, typeId: row?.typeId ?? null, postal: row?.postal ?? null, priority: row?.priority ?? 3 };
  switch (command.kind) {
    case "edit":
      return await sent(calls.editCall, { params, body: { ...content, message: `${row?.message}!` } });
    case "priority":
      return await sent(calls.editCall, { params, body: { ...content, message: row?.message, priority: command.priority } });
    case "note":
      return await sent(calls.noteCall, { params, body: { text: "A note" } });
    case "complete":
      if (panic !== undefined)
        return await sent(endPanic, { params: { id: panic.id }, body: { version: panic.version, outcome: "real" } });
      return await sent(calls.completeCall, { params, body: { version } });
    case "cancel":
      return await sent(calls.cancelCall, { params, body: { version, reason: command.reason } });
    case "callerCancel":
      if (panic !== undefined) return await sent(cancelPanic, { params: { id: panic.id } });
      return await sent(calls.cancelCall, { params, body: { version, reason: "It is over" } });
    case "reopen":
      return await sent(calls.reopenCall, { params, body: { version, reason: command.reason } });
    case "merge": {
      const other = real.calls.get(numberOf(command.into));
      const body = { version, other: { id: numberOf(command.into), version: other?.version ?? 1 }, uniteJobs: command.uniteJobs };
      return await sent(calls.mergeCalls, { params, body });
    }
    case "undo":
      return await sent(calls.undoMerge, { params, body: { version } });
    case "split": {
      const notes = row?.notes ?? [];
      const noteIds = [...notes.slice(0, command.notes), ...(command.notes > notes.length ? [unknown] : [])];
      return await sent(calls.splitCall, {
        params,
        body: { version, message: "A part", unitIds: command.units.map(unit), noteIds },
      });
    }
    case "link":
      return await sent(calls.linkCalls, { params, body: { otherId: numberOf(command.other) } });
    case "unlink":
      return await sent(calls.unlinkCalls, { params: { id, otherId: numberOf(command.other) } });
    case "handOver":
      return await sent(calls.handOverCall, { params, body: { version, job: command.to } });
    case "answerHandover":
      return await sent(calls.answerHandOver, { params, body: { version, accept: command.accept } });
    case "offer":
    case "assign":
      return await sent(work.offerUnits, { params, body: { unitIds: [unit(command.unit)], assign: command.kind === "assign" } });
    case "take":
      return await sent(work.takeCall, { params });
  }
}

async function sendOfWork({ world, real, names }: Context, command: OfWork, sent: Sent): Promise<Answered> {
  const id = names.works.get(command.assignment) ?? unknown;
  const row = real.works.get(id);
  const now = row?.version ?? 1;
  const version = command.seen === world.assignments[command.assignment]?.version ? now : now + 1000;
  const params = { id };
  const state = row?.isOpen === true && row.state !== "offered" ? row.state : "accepted";
  switch (command.kind) {
    case "accept":
    case "decline":
      return await sent(work.answerOffer, { params, body: { version, accept: command.kind === "accept" } });
    case "withdraw":
      return await sent(work.withdrawOffer, { params, body: { version } });
    case "done":
      return await sent(work.finishWork, { params, body: { version } });
    case "progress":
      return await sent(work.setProgress, { params, body: { version, state: command.to } });
    case "needHelp":
      return await sent(work.setProgress, { params, body: { version, state, needsHelp: command.on } });
    case "handBack":
      return await sent(work.handBack, { params, body: { version, reason: command.reason } });
  }
}

async function sendOther({ stage, names, world }: Context, command: Other, sent: Sent): Promise<Answered> {
  const unit = (name: Id) => names.units.get(name) ?? unknown;
  switch (command.kind) {
    case "create":
      return await sendCreate(stage, command, sent);
    case "panic":
      return await sent(pressPanic, {});
    case "unitStatus":
      return await sent(setStatus, {
        params: { id: unit(command.unit) },
        body: {
          base: command.status,
          ...(command.choice === null ? {} : { work: command.choice }),
          ...(command.choice === "handBack" ? { reason: "A break" } : {}),
        },
      });
    case "join":
      return await sent(joinUnit, { params: { id: unit(command.unit) }, body: { role: null } });
    case "leave":
      return await sent(leaveUnit, {});
    case "move": {
      const params = { id: names.people.get(command.person) };
      return await sent(moveMember, { params, body: { unitId: command.unit === null ? null : unit(command.unit) } });
    }
    case "duty":
      return command.on ? await sent(beginDuty, { body: { job: world.people[command.by]?.job } }) : await sent(endDuty, {});
    case "desk": {
      const params = { window: windowOf(command.by) };
      if (!command.open) return await sent(signOff, { params });
      const answered = await sent(signOn, { params, body: { hidden: false } });
      await stage.keepDesks();
      return answered;
    }
    case "dissolve": {
      const job = world.units[command.unit]?.job ?? "police";
      const as = command.by === SYSTEM ? await stage.leadOf(job) : undefined;
      return await sent(removeUnit, { params: { id: unit(command.unit) } }, as);
    }
  }
}

async function sendCreate(stage: Stage, command: CommandOf<"create">, sent: Sent): Promise<Answered> {
  const { jobs, type, place, priority, anonymous, by, caller } = command;
  if (by !== SYSTEM) {
    const typeId = jobs.length === 0 ? null : (stage.types.get(`${jobs[0]} ${type}`) ?? unknown);
    const body = { typeId, jobs, message: "Help", priority, postal: postalAt(place), anonymous };
    return await sent(calls.createCall, { body });
  }
  const identifier = caller === null ? null : `char1:${stage.people.get(caller)!.licence}`;
  const body = {
    source: "city-1",
    jobs,
    type,
    message: "Help",
    priority,
    x: place?.x ?? null,
    y: place?.y ?? null,
    identifier,
    anonymous,
  };
  return await sent(calls.syncCall, { body }, testSecrets.sync);
}

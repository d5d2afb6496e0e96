import { handBack, offerUnits, setProgress, type WorkingState, withdrawOffer } from "@rollcall/server/contract/assignments";
import { cancelCall, completeCall, getCall, noteCall, reopenCall, type UnitOnCall } from "@rollcall/server/contract/calls";
import { setStatus } from "@rollcall/server/contract/units";
import { api } from "#core/services.ts";
import type { Plan } from "./command.ts";

/** Plans that change something on the server. */
export type Change = Exclude<Plan, { do: "open" | "who" | "undo" | "help" }>;

/** How to take a change back; or a text key under `desk.line.noUndo` that says why that cannot be. */
export type Inverse = { readonly undo: (reason: string) => Promise<unknown> } | { readonly why: "note" | "reopen" | "gone" };

const onOf = (units: readonly UnitOnCall[], id: number) => units.find((on) => on.unit.id === id);

/** An assignment as it is now: what was read before a change has another version after it. */
async function present(callId: number, unitId: number): Promise<UnitOnCall> {
  const found = onOf((await api.call(getCall, { params: { id: callId } })).units, unitId);
  if (found === undefined) throw new Error("the unit has left the call");
  return found;
}

async function takeOff(callId: number, unitId: number, reason: string): Promise<void> {
  const { id, version, state } = await present(callId, unitId);
  if (state === "offered") await api.call(withdrawOffer, { params: { id }, body: { version } });
  else await api.call(handBack, { params: { id }, body: { version, reason } });
}

async function progressTo(callId: number, unitId: number, state: WorkingState): Promise<void> {
  const on = await present(callId, unitId);
  if (on.state === state) return;
  await api.call(setProgress, { params: { id: on.id }, body: { version: on.version, state, needsHelp: on.needsHelp } });
}

async function put({ call, units, ask, progress }: Extract<Change, { do: "assign" }>): Promise<Inverse> {
  const unitIds = units.map(({ id }) => id);
  await api.call(offerUnits, { params: { id: call.id }, body: { unitIds, assign: !ask } });
  const undo = async (reason: string) => {
    for (const id of unitIds) await takeOff(call.id, id, reason);
  };
  if (progress !== null) for (const id of unitIds) await progressTo(call.id, id, progress);
  return { undo };
}

async function remove({ call, on, reason }: Extract<Change, { do: "remove" }>): Promise<Inverse> {
  const { id, version, state, unit } = on;
  if (state === "offered") await api.call(withdrawOffer, { params: { id }, body: { version } });
  else await api.call(handBack, { params: { id }, body: { version, reason } });
  return {
    async undo() {
      await api.call(offerUnits, { params: { id: call.id }, body: { unitIds: [unit.id], assign: state !== "offered" } });
      if (state !== "offered") await progressTo(call.id, unit.id, state);
    },
  };
}

/** Does what a line says; a refusal of the server is thrown. Each names the version that the desk showed. */
export async function run(plan: Change): Promise<Inverse> {
  switch (plan.do) {
    case "assign":
      return await put(plan);
    case "remove":
      return await remove(plan);
    case "progress": {
      const { call, on, state } = plan;
      const body = { version: on.version, state, needsHelp: on.needsHelp };
      await api.call(setProgress, { params: { id: on.id }, body });
      const before = on.state;
      return before === "offered" ? { why: "gone" } : { undo: async () => await progressTo(call.id, on.unit.id, before) };
    }
    case "status": {
      const { unit, to } = plan;
      const { base, id } = unit.status;
      await api.call(setStatus, { params: { id: unit.id }, body: { base: to.base, statusId: to.id } });
      return { undo: async () => await api.call(setStatus, { params: { id: unit.id }, body: { base, statusId: id } }) };
    }
    case "done":
    case "note":
    case "cancel":
    case "reopen":
      return await write(plan);
  }
}

async function write({ do: verb, call, text }: Extract<Change, { text: string }>): Promise<Inverse> {
  const params = { id: call.id };
  const { version } = call;
  if (verb === "note") {
    await api.call(noteCall, { params, body: { text } });
    return { why: "note" };
  }
  if (verb === "reopen") {
    await api.call(reopenCall, { params, body: { version, reason: text } });
    return { why: "reopen" };
  }
  const ended =
    verb === "done"
      ? await api.call(completeCall, { params, body: { version, outcome: text === "" ? null : text } })
      : await api.call(cancelCall, { params, body: { version, reason: text } });
  return { undo: async (reason) => await api.call(reopenCall, { params, body: { version: ended.version, reason } }) };
}

import { handBack, offerUnits, setProgress, type WorkingState, withdrawOffer } from "@rollcall/server/contract/assignments";
import { cancelCall, completeCall, getCall, noteCall, reopenCall, type UnitOnCall } from "@rollcall/server/contract/calls";
import { endPanic } from "@rollcall/server/contract/panic";
import type { Api } from "#core/api.ts";
import { changeStatus } from "#features/units/units.api.ts";
import type { Plan } from "./command.ts";

/** Plans that change something on the server. */
export type Change = Exclude<Plan, { do: "open" | "who" | "undo" | "help" }>;

/** How to take a change back; or a text key under `desk.line.noUndo` that says why that cannot be. */
export type Inverse =
  | { readonly undo: (reason: string) => Promise<unknown> }
  | { readonly why: "note" | "reopen" | "gone" | "panic" | "handedBack" };

/** A unit is no longer on the call of a line. */
export class UnitLeft extends Error {
  override name = "UnitLeft";
  readonly unit: string;

  constructor(unit: string) {
    super(`${unit} is no longer on the call`);
    this.unit = unit;
  }
}

/** Somebody closed the question what becomes of the calls of a unit: nothing has changed. */
export class StatusKept extends Error {
  override name = "StatusKept";
  readonly unit: string;

  constructor(unit: string) {
    super(`${unit} keeps its status`);
    this.unit = unit;
  }
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** An assignment as it is now: what was read before a change has another version after it. Null for a unit that has left. */
async function present(api: Api, callId: number, unit: Named): Promise<UnitOnCall | null> {
  const { units } = await api.call(getCall, { params: { id: callId } });
  return units.find((on) => on.unit.id === unit.id) ?? null;
}

async function takeOff(api: Api, { id, version, state }: UnitOnCall, reason: string): Promise<void> {
  if (state === "offered") await api.call(withdrawOffer, { params: { id }, body: { version } });
  else await api.call(handBack, { params: { id }, body: { version, reason } });
}

async function progressTo(api: Api, callId: number, unit: Named, state: WorkingState): Promise<void> {
  const on = await present(api, callId, unit);
  if (on === null) throw new UnitLeft(unit.name);
  if (on.state === state) return;
  await api.call(setProgress, { params: { id: on.id }, body: { version: on.version, state, needsHelp: on.needsHelp } });
}

async function statusTo(api: Api, unit: Named, to: Parameters<typeof changeStatus>[2]) {
  const outcome = await changeStatus(api, unit, to);
  if (outcome === "kept") throw new StatusKept(unit.name);
  return outcome;
}

async function put(api: Api, plan: Extract<Change, { do: "assign" }>, keep: (inverse: Inverse) => void): Promise<void> {
  const { call, units, ask, progress } = plan;
  await api.call(offerUnits, { params: { id: call.id }, body: { unitIds: units.map(({ id }) => id), assign: !ask } });
  keep({
    async undo(reason) {
      let left = 0;
      for (const unit of units) {
        const on = await present(api, call.id, unit);
        if (on === null) left += 1;
        else await takeOff(api, on, reason);
      }
      if (left === units.length) throw new UnitLeft(units.map(({ name }) => name).join(", "));
    },
  });
  if (progress !== null) for (const unit of units) await progressTo(api, call.id, unit, progress);
}

async function remove(api: Api, { call, on, reason }: Extract<Change, { do: "remove" }>): Promise<Inverse> {
  const { state, unit } = on;
  await takeOff(api, on, reason);
  return {
    async undo() {
      await api.call(offerUnits, { params: { id: call.id }, body: { unitIds: [unit.id], assign: state !== "offered" } });
      if (state !== "offered") await progressTo(api, call.id, unit, state);
    },
  };
}

async function write(api: Api, { do: verb, call, text }: Extract<Change, { do: "done" | "note" | "cancel" | "reopen" }>) {
  const params = { id: call.id };
  const { version } = call;
  if (verb === "note") {
    await api.call(noteCall, { params, body: { text } });
    return { why: "note" } as const;
  }
  if (verb === "reopen") {
    await api.call(reopenCall, { params, body: { version, reason: text } });
    return { why: "reopen" } as const;
  }
  const ended =
    verb === "done"
      ? await api.call(completeCall, { params, body: { version, outcome: text === "" ? null : text } })
      : await api.call(cancelCall, { params, body: { version, reason: text } });
  return {
    undo: async (reason: string) => await api.call(reopenCall, { params, body: { version: ended.version, reason } }),
  };
}

/**
 * Does what a line says; a refusal of the server is thrown. Each change names the version that the desk showed. How to take
 * it back is kept as soon as there is something to take back: a later step of the line may still be refused.
 */
export async function runCommand(api: Api, plan: Change, keep: (inverse: Inverse) => void): Promise<void> {
  switch (plan.do) {
    case "assign":
      return await put(api, plan, keep);
    case "remove":
      return keep(await remove(api, plan));
    case "progress": {
      const { call, on, state } = plan;
      await api.call(setProgress, { params: { id: on.id }, body: { version: on.version, state, needsHelp: on.needsHelp } });
      const before = on.state;
      return keep(before === "offered" ? { why: "gone" } : { undo: async () => await progressTo(api, call.id, on.unit, before) });
    }
    case "status": {
      const { unit, to } = plan;
      const before = unit.status;
      if ((await statusTo(api, unit, to)) === "handedBack") return keep({ why: "handedBack" });
      return keep({ undo: async () => await statusTo(api, unit, before) });
    }
    case "panic": {
      const { panic, outcome, text } = plan;
      const body = { version: panic.version, outcome, note: text === "" ? null : text };
      await api.call(endPanic, { params: { id: panic.id }, body });
      return keep({ why: "panic" });
    }
    case "done":
    case "note":
    case "cancel":
    case "reopen":
      return keep(await write(api, plan));
  }
}

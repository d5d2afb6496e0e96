import { Type } from "typebox";
import { defineNotification, defineWorkerTask } from "#core/contract/index.ts";
import { id } from "./units.base.contract.ts";

/** A temporary unit may have been empty for long enough. */
export const dissolveUnit = defineWorkerTask({ id: "units.dissolve", payload: Type.Object({ id }), lane: "prompt" });

/** A unit may have been busy or on a break for too long. */
export const remindLong = defineWorkerTask({
  id: "units.remindLong",
  payload: Type.Object({ id, since: Type.Integer() }),
  lane: "prompt",
});

/** Somebody may be on duty without a unit. */
export const remindAlone = defineWorkerTask({ id: "units.remindAlone", payload: Type.Object({ citizenId: id }), lane: "prompt" });

const notification = (name: string, params: readonly string[]) =>
  defineNotification({ id: `units.${name}`, tone: "info", params, channels: ["bell", "toast", "sound"] });

export const longBusy = notification("longBusy", ["unit", "minutes"]);
export const longBreak = notification("longBreak", ["unit", "minutes"]);
export const alone = notification("alone", ["job"]);

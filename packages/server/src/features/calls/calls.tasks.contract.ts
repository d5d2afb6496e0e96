import { Type } from "typebox";
import { defineWorkerTask, Instant } from "#core/contract/index.ts";
import { id } from "./calls.base.contract.ts";

/** One that something overtook carries another instant than the call, and does nothing. */
const timer = (name: string) =>
  defineWorkerTask({ id: `calls.${name}`, payload: Type.Object({ id, at: Instant }), lane: "prompt" });

/** Cancels an open call in which nothing happened for the time of its jobs. */
export const expireCall = timer("expire");
/** Pages read a call again that many people report. */
export const touchCall = timer("touch");
/** Takes an ended call off the list of present calls. */
export const archiveCall = timer("archive");

/** After a job changed how long nothing may happen: its open calls, some at a time, those with a higher id than `after`. */
export const replanIdle = defineWorkerTask({
  id: "calls.replanIdle",
  payload: Type.Object({ job: Type.String(), after: Type.Integer({ minimum: 0 }) }),
  lane: "prompt",
});

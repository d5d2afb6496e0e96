import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { repeatPanic } from "./panic.contract.ts";
import type { PanicFollow } from "./panic.follow.service.ts";

export function panicTasks(follow: PanicFollow): TaskHandler[] {
  return [applyTask({ task: repeatPanic, apply: async (tx, { payload }) => await follow.repeat(tx, payload) })];
}

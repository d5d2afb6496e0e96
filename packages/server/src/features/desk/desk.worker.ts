import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { endWindows } from "./desk.contract.ts";
import type { DeskService } from "./desk.service.ts";

export function deskTasks(service: DeskService): TaskHandler[] {
  return [applyTask({ task: endWindows, apply: async (tx, { payload }) => await service.endWindows(tx, payload.citizenId) })];
}

import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { dissolveUnit, remindAlone, remindLong } from "./units.contract.ts";
import type { UnitCrew } from "./units.crew.service.ts";
import type { UnitReminders } from "./units.reminders.service.ts";

export function unitsTasks(crew: UnitCrew, reminders: UnitReminders): TaskHandler[] {
  return [
    applyTask({ task: dissolveUnit, apply: async (tx, { payload }) => await crew.dissolve(tx, payload.id) }),
    applyTask({ task: remindLong, apply: async (tx, { payload }) => await reminders.remindLong(tx, payload) }),
    applyTask({ task: remindAlone, apply: async (tx, { payload }) => await reminders.remindAlone(tx, payload.citizenId) }),
  ];
}

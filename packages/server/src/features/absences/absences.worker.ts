import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { escalateAbsence } from "./absences.contract.ts";
import type { AbsenceDecisions } from "./absences.decide.service.ts";

export function absencesTasks(service: AbsenceDecisions): TaskHandler[] {
  return [
    applyTask({
      task: escalateAbsence,
      apply: async (tx, { payload }) => await service.escalate(tx, payload.id, payload.grade),
    }),
  ];
}

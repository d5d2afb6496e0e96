import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensChanged, citizensPurged, jobParts, movedIn } from "#features/citizens/citizens.contract.ts";
import type { AbsenceEndings } from "./absences.end.service.ts";

export function absencesEvents(service: AbsenceEndings): EventReaction[] {
  return [
    reactTo({
      consumer: "absences.leftJobs",
      event: citizensChanged,
      async handle(tx, { payload }) {
        const ids = movedIn(payload, jobParts);
        if (ids.length > 0) await service.leftJobs(tx, ids);
      },
    }),
    reactTo({
      consumer: "absences.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

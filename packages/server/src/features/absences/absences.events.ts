import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensChanged, citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { AbsenceEndings } from "./absences.end.service.ts";

export function absencesEvents(service: AbsenceEndings): EventReaction[] {
  return [
    reactTo({
      consumer: "absences.leftJobs",
      event: citizensChanged,
      async handle(tx, { payload: { items, changed } }) {
        const parts = new Map((changed ?? []).map((one) => [one.id, one.parts]));
        const moved = items.filter(({ id, deleted }) => deleted || changed === undefined || parts.get(id)?.includes("jobs"));
        if (moved.length > 0)
          await service.leftJobs(
            tx,
            moved.map(({ id }) => id),
          );
      },
    }),
    reactTo({
      consumer: "absences.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

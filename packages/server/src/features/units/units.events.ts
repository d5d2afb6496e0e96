import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { dutyChanged, dutyEnded } from "#features/duty/duty.contract.ts";
import type { UnitCrew } from "./units.crew.service.ts";
import type { UnitReminders } from "./units.reminders.service.ts";

export function unitsEvents(crew: UnitCrew, reminders: UnitReminders): EventReaction[] {
  return [
    reactTo({
      consumer: "units.dutyEnded",
      event: dutyEnded,
      async handle(tx, { payload: { items } }) {
        await crew.dutyEnded(tx, [...new Set(items.map(({ citizenId }) => citizenId))]);
      },
    }),
    reactTo({
      consumer: "units.dutyChanged",
      event: dutyChanged,
      async handle(tx, { payload: { items } }) {
        const present = items.filter(({ deleted }) => !deleted).map(({ id }) => id);
        if (present.length > 0) await reminders.planAlone(tx, present);
      },
    }),
    reactTo({
      consumer: "units.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await crew.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

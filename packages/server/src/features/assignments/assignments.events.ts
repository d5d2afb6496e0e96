import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { unitsEmptied } from "#features/units/units.contract.ts";
import type { WorkFollow } from "./assignments.follow.service.ts";

export function assignmentsEvents(follow: WorkFollow): EventReaction[] {
  return [
    reactTo({
      consumer: "assignments.unitEmptied",
      event: unitsEmptied,
      handle: async (tx, { payload }) => await follow.emptied(tx, payload.id),
    }),
    reactTo({
      consumer: "assignments.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await follow.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { dutyEnded } from "#features/duty/duty.contract.ts";
import type { DeskService } from "./desk.service.ts";

export function deskEvents(service: DeskService): EventReaction[] {
  return [
    reactTo({
      consumer: "desk.dutyEnded",
      event: dutyEnded,
      handle: async (tx, { payload: { items } }) =>
        await service.dutyEnded(tx, [...new Set(items.map(({ citizenId }) => citizenId))]),
    }),
    reactTo({
      consumer: "desk.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { colleaguesBegan } from "#features/colleagues/colleagues.contract.ts";
import { dutyEnded, dutyProposed } from "#features/duty/duty.contract.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export function timeclockEvents(service: TimeclockService): EventReaction[] {
  return [
    reactTo({
      consumer: "timeclock.ended",
      event: dutyEnded,
      async handle(tx, { payload, at }) {
        await service.ended(
          tx,
          payload.items.map(({ periodId }) => periodId),
          at,
        );
      },
    }),
    reactTo({
      consumer: "timeclock.proposed",
      event: dutyProposed,
      handle: async (tx, { payload, at }) => await service.ended(tx, payload.periodIds, at),
    }),
    reactTo({
      consumer: "timeclock.began",
      event: colleaguesBegan,
      handle: async (tx, { payload, at }) => await service.began(tx, payload.items, at),
    }),
    reactTo({
      consumer: "timeclock.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

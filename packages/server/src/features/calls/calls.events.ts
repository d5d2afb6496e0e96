import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { CallsService } from "./calls.service.ts";

export function callsEvents(service: CallsService): EventReaction[] {
  return [
    reactTo({
      consumer: "calls.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

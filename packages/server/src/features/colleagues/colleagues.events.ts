import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensChanged, citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { FollowService } from "./colleagues.follow.service.ts";

export function colleaguesEvents(service: FollowService): EventReaction[] {
  return [
    reactTo({
      consumer: "colleagues.follow",
      event: citizensChanged,
      handle: async (tx, { payload, at }) => await service.citizensChanged(tx, payload.items, payload.changed, at),
    }),
    reactTo({
      consumer: "colleagues.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

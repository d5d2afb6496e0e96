import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensChanged, citizensPurged, jobParts, movedIn } from "#features/citizens/citizens.contract.ts";
import type { FollowService } from "./conduct.follow.service.ts";

export function conductEvents(service: FollowService): EventReaction[] {
  return [
    reactTo({
      consumer: "conduct.follow",
      event: citizensChanged,
      async handle(tx, { payload, at }) {
        const ids = movedIn(payload, jobParts);
        if (ids.length > 0) await service.citizensMoved(tx, ids, at);
      },
    }),
    reactTo({
      consumer: "conduct.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

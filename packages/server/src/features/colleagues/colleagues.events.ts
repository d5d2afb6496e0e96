import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { absenceHappened } from "#features/absences/absences.contract.ts";
import { citizensChanged, citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { Activities } from "./colleagues.activity.service.ts";
import type { FollowService } from "./colleagues.follow.service.ts";

export function colleaguesEvents(service: FollowService, activities: Activities): EventReaction[] {
  return [
    reactTo({
      consumer: "colleagues.follow",
      event: citizensChanged,
      handle: async (tx, { payload, at }) => await service.citizensChanged(tx, payload, at),
    }),
    reactTo({
      consumer: "colleagues.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
    reactTo({
      consumer: "colleagues.absences",
      event: absenceHappened,
      handle: async (tx, { payload, at }) => await activities.absence(tx, payload, at),
    }),
  ];
}

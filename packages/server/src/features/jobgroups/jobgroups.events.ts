import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensChanged, citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";

export function jobgroupsEvents(resolver: Resolver): EventReaction[] {
  return [
    reactTo({
      consumer: "jobgroups.follow",
      event: citizensChanged,
      handle: async (tx, { payload }) => await resolver.citizensChanged(tx, payload),
    }),
    reactTo({
      consumer: "jobgroups.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await resolver.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

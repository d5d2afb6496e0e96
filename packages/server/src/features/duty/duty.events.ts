import { type EventListener, listenTo } from "#core/feature.ts";
import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensChanged, citizensPurged } from "#features/citizens/citizens.contract.ts";
import { dutyChanged } from "./duty.contract.ts";
import type { DutyService } from "./duty.service.ts";
import type { DutySigns } from "./duty.signs.service.ts";
import type { DutySources } from "./duty.sources.service.ts";

export function dutyEvents(service: DutyService): EventReaction[] {
  return [
    reactTo({
      consumer: "duty.jobsChanged",
      event: citizensChanged,
      async handle(tx, { payload }) {
        await service.jobsChanged(tx, payload);
        await service.namesChanged(tx, payload.changed ?? []);
      },
    }),
    reactTo({
      consumer: "duty.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}

export function dutyListeners(signs: DutySigns, sources: DutySources): EventListener[] {
  return [
    listenTo({
      event: dutyChanged,
      onEvent: ({ payload }) => signs.invalidate(payload.items.map(({ id }) => id)),
      onMissed() {
        signs.invalidateAll();
        sources.invalidate();
      },
    }),
  ];
}

import { type EventListener, listenTo } from "#core/feature.ts";
import { citizensChanged } from "#features/citizens/citizens.contract.ts";
import { dutyChanged } from "#features/duty/duty.contract.ts";
import type { Duties } from "./positions.duties.service.ts";
import type { PositionsService } from "./positions.service.ts";

export function positionsListeners(service: PositionsService, duties: Duties): EventListener[] {
  return [
    listenTo({
      event: dutyChanged,
      onEvent: ({ payload }) => duties.changed(payload.items),
      onMissed: () => duties.missed(),
    }),
    listenTo({
      event: citizensChanged,
      onEvent: ({ payload }) => service.forget(new Set(payload.items.map(({ id }) => id))),
      onMissed: () => service.forgetAll(),
    }),
  ];
}

import type { PayloadOf } from "#core/contract/index.ts";
import { type EventListener, listenTo } from "#core/feature.ts";
import { type CitizenPart, citizensChanged } from "#features/citizens/citizens.contract.ts";
import { dutyChanged } from "#features/duty/duty.contract.ts";
import type { Duties } from "./positions.duties.service.ts";
import type { PositionsService } from "./positions.service.ts";

/** What is kept of a character to take its positions. */
const keptParts: ReadonlySet<CitizenPart> = new Set<CitizenPart>(["identifier", "licence", "jobs", "deleted_at"]);

/** Of the changed citizens, those of whom something is kept; new ones too, which may have been unknown before. */
export function citizensRead({ items, changed = [] }: PayloadOf<typeof citizensChanged>): Set<number> {
  const parts = new Map(changed.map((one) => [one.id, one.parts]));
  return new Set(items.flatMap(({ id }) => (parts.get(id)?.some((part) => keptParts.has(part)) === false ? [] : [id])));
}

export function positionsListeners(service: PositionsService, duties: Duties): EventListener[] {
  return [
    listenTo({
      event: dutyChanged,
      onEvent: ({ payload }) => duties.changed(payload.items),
      onMissed: () => duties.missed(),
    }),
    listenTo({
      event: citizensChanged,
      onEvent({ payload }) {
        const ids = citizensRead(payload);
        if (ids.size > 0) service.invalidate(ids);
      },
      onMissed: () => service.invalidateAll(),
    }),
  ];
}

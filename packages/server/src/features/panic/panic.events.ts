import { type EventListener, listenTo } from "#core/feature.ts";
import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { panicChanged } from "./panic.contract.ts";
import type { PanicPlaces } from "./panic.places.service.ts";
import type { PanicStore } from "./panic.store.service.ts";

export function panicEvents(store: PanicStore): EventReaction[] {
  return [
    reactTo({
      consumer: "panic.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await store.forget(tx, payload.citizenIds),
    }),
  ];
}

export function panicListeners(places: PanicPlaces): EventListener[] {
  return [
    listenTo({
      event: panicChanged,
      onEvent: ({ payload }) => places.changed(payload),
      onMissed: () => places.missed(),
    }),
  ];
}

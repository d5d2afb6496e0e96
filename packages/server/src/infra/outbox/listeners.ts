import type { EventListener } from "#core/feature.ts";
import type { Broker, Log, Subscription } from "#core/ports/index.ts";
import { decodeEvent, subjectOf } from "./wire.ts";

/** Tells each listener of this process about its events, at most once; for caches. */
export function createListeners(parts: { broker: Broker; log: Log; listeners: readonly EventListener[] }): Subscription {
  const { broker, log, listeners } = parts;
  const open = [...Map.groupBy(listeners, (l) => l.event.id)].map(([type, ofType]) =>
    broker.subscribe(subjectOf(type), ({ data }) => {
      const message = decodeEvent(data);
      for (const listener of ofType) {
        try {
          listener.heard(message);
        } catch (error) {
          log.error({ err: error, event: type }, "an event listener failed");
        }
      }
    }),
  );
  return { close: async () => void (await Promise.all(open.map((s) => s.close()))) };
}

import { Type } from "typebox";
import type { Config } from "#config/index.ts";
import { defineEvent } from "#core/contract/index.ts";
import { defineFeature, type Feature } from "#core/feature.ts";
import type { DeliveredNotification } from "#core/ports/index.ts";

/** What a real way would read to send its letters. */
export const lettersQueued = defineEvent({
  id: "letters.queued",
  version: 1,
  payload: Type.Object({ kind: Type.String(), ids: Type.Array(Type.Integer()) }),
});

/** A second way of notifications to people: it reaches only the accounts in `addresses`. */
export interface Letters {
  readonly feature: Feature<Config>;
  readonly addresses: Set<number>;
  /** Everything that was handed to it, also in transactions that were rolled back. */
  readonly received: DeliveredNotification[];
}

export function createLetters(): Letters {
  const addresses = new Set<number>();
  const received: DeliveredNotification[] = [];
  const feature = defineFeature<Config>({
    name: "letters",
    about: "A way of notifications that only tests have.",
    needs: [],
    contract: { events: [lettersQueued] },
    tables: [],
    create: ({ outbox }) => ({
      deliveries: [
        {
          id: "letters",
          channels: [{ id: "letter", label: "letters.channel" }],
          availableFor: async (_tx, accountId) => addresses.has(accountId),
          async deliver(tx, { kind, items }) {
            received.push(...items);
            const ids = items.filter(({ accountId }) => addresses.has(accountId)).map(({ id }) => id);
            if (ids.length === 0) return;
            await outbox.emit(tx, lettersQueued, { key: `letters/${ids[0]}`, version: 1, payload: { kind: kind.id, ids } });
          },
        },
      ],
    }),
  });
  return { feature, addresses, received };
}

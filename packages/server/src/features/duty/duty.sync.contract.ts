import { Type, type Static } from "typebox";
import { access, defineOperation, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { batchLimit, batchResult, batchSource, gameKey } from "#features/sync/sync.contract.ts";

/** Names one run of the game server: after a new one, people who are not named again go off duty. */
export const bootId = Type.Optional(
  Nullable(
    gameKey(64, {
      description:
        "A name of this run of the game server. After a new one, people who are not named within 5 minutes go off duty at their last sign of life",
    }),
  ),
);

export const dutyEvents = ["on", "off", "dropped", "loaded", "past"] as const;

/** What happened to one character. */
export const SyncDutyItem = Type.Object({
  identifier: gameKey(64, { description: "The character's ID, as in `users`" }),
  event: OneOf(dutyEvents, {
    description:
      "`on` and `off` duty; `dropped`: the player left or crashed, and may come back; `loaded`: this character was chosen, so that others of its licence are off duty; `past`: a duty that has ended and was not reported",
  }),
  job: Type.Optional(Nullable(gameKey(50, { description: "Needed for `on` and `past`; `off` without one ends any duty" }))),
  grade: Type.Optional(Type.Integer({ minimum: 0, description: "Left out, the grade that the character has in the job" })),
  at: Instant,
  endedAt: Type.Optional(Nullable(Instant)),
  key: gameKey(64, { description: "Names this event; repeating it changes nothing" }),
});
export type SyncDutyItem = Static<typeof SyncDutyItem>;

/** In the order in which they happened; an event that is older than one that was applied has no effect on the present. */
export const syncDuty = defineOperation({
  id: "duty.sync",
  method: "POST",
  path: "/api/sync/v1/duty",
  summary: "Report who goes on and off duty, drops, and comes back",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: {
    body: Type.Object({
      source: batchSource,
      boot: bootId,
      items: Type.Array(SyncDutyItem, {
        maxItems: batchLimit,
        description: "May be empty: the source is still there",
      }),
    }),
  },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: {
    body: {
      source: "city-1",
      boot: "2026-11-25T18:00:00Z",
      items: [
        {
          identifier: "char1:0a1b2c3d",
          event: "on",
          job: "police",
          at: 1_790_000_000_000,
          key: "7c1f-1",
        },
      ],
    },
    output: { accepted: 1, unchanged: 0, rejected: [] },
  },
});

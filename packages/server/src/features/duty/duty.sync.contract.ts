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

export const dutyEventNames = ["on", "off", "dropped", "loaded", "past"] as const;

const described = (description: string) => Type.Integer({ ...Instant, description });

/** What happened to one character. */
export const SyncDutyItem = Type.Object({
  identifier: gameKey(64, { description: "The character's ID, as in `users`" }),
  event: OneOf(dutyEventNames, {
    description:
      "`on` and `off` duty; `dropped`: the player left or crashed, and may come back; `loaded`: this character was chosen, so that others of its licence are off duty; `past`: a duty that has ended and was not reported",
  }),
  job: Type.Optional(Nullable(gameKey(50, { description: "Needed for `on` and `past`; `off` without one ends any duty" }))),
  grade: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, description: "Left out, the grade that the character has in the job" }),
  ),
  at: described("When it happened, in milliseconds since 1970; at most 5 minutes ahead, and at most 30 days ago"),
  endedAt: Type.Optional(Nullable(described("Of `past`: when the duty ended, in milliseconds since 1970"))),
  key: gameKey(64, { description: "Names this event; repeating it changes nothing" }),
});
export type SyncDutyItem = Static<typeof SyncDutyItem>;

export const dutyResult = Type.Object({
  ...batchResult.properties,
  late: Type.Integer({
    description: "Of those accepted, events that came too late to change the present; check the clock of the game server",
  }),
});
export type DutyResult = Static<typeof dutyResult>;

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
  output: dutyResult,
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
    output: { accepted: 1, unchanged: 0, rejected: [], late: 0 },
  },
});

import { Type } from "typebox";
import { access, defineTopic, Instant, realtimeErrors } from "#core/contract/index.ts";

/**
 * The members of a job who are online, visible to the members of the job. One entry for each character
 * and process: a character with connections to two processes has two entries, and is online as long as
 * one of them is left. Each process repeats its entries, so that those of a dead one are forgotten by
 * their age; they are kept so that every process can read who is online.
 */
export const presenceTopic = defineTopic({
  name: "presence/:job",
  kind: "state",
  maxAgeMs: 30_000,
  keepLatest: true,
  access: access.character(),
  message: Type.Object({ characterId: Type.Integer(), name: Type.String(), grade: Type.Integer(), since: Instant }),
  example: { characterId: 12, name: "Ada Berg", grade: 3, since: 1_790_000_000_000 },
});

/** The messages of `/api/realtime` are in `core/contract/realtime.ts`, which the browser shares. */
export const realtimeContract = { errors: realtimeErrors, topics: [presenceTopic] };

import { Type } from "typebox";
import { access, defineTopic, Instant, realtimeErrors } from "#core/contract/index.ts";

/**
 * Who of a job is connected now, for its members. One entry for each character and process: a
 * character who is connected to two processes comes twice, and is online while one entry is left.
 */
export const presenceTopic = defineTopic({
  name: "presence/:job",
  kind: "state",
  access: access.character(),
  message: Type.Object({ characterId: Type.Integer(), name: Type.String(), grade: Type.Integer(), since: Instant }),
  example: { characterId: 12, name: "Ada Berg", grade: 3, since: 1_790_000_000_000 },
});

/** The messages of `/api/realtime` stand in `core/contract/realtime.ts`, shared with the browser. */
export const realtimeContract = { errors: realtimeErrors, topics: [presenceTopic] };

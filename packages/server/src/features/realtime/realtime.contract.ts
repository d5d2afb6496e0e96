import { realtimeErrors } from "#core/contract/index.ts";

/** The messages of `/api/realtime` stand in `core/contract/realtime.ts`, shared with the browser. */
export const realtimeContract = { errors: realtimeErrors };

import { apiToken } from "#core/feature.ts";
import type { Approvals } from "#core/ports/index.ts";

/** For features that `approvals` does not need itself; those use `registry.approvals()`. */
export const approvalsApi = apiToken<Approvals>("approvals");

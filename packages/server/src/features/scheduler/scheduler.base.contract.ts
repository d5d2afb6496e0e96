import { defineErrors } from "#core/contract/index.ts";

export const schedulerErrors = defineErrors("scheduler", {
  jobUnknown: { status: 404, params: ["job"] },
  alreadyRunning: { status: 409, params: ["job"] },
  taskGone: { status: 404 },
});

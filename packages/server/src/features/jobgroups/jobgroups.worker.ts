import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { resolveJob, resolvePerson } from "./jobgroups.contract.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";

export function jobgroupsTasks(resolver: Resolver): TaskHandler[] {
  return [
    applyTask({
      task: resolveJob,
      apply: async (tx, { payload }) => await resolver.batch(tx, payload.job, payload.after),
    }),
    applyTask({
      task: resolvePerson,
      apply: async (tx, { payload, dueAt }) => await resolver.personDue(tx, payload.job, payload.citizenId, dueAt),
    }),
  ];
}

import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { callsApi } from "#features/calls/calls.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { deskContract } from "./desk.contract.ts";
import { deskDemoGrants } from "./desk.demo.policy.ts";
import { deskEvents } from "./desk.events.ts";
import { removeEnded } from "./desk.repo.ts";
import { deskRoutes, deskTopics } from "./desk.routes.ts";
import { deskRetention, purgeDesk } from "./desk.schedules.ts";
import { deskPeople, deskWindows } from "./desk.schema.ts";
import { DeskService } from "./desk.service.ts";
import { deskTasks } from "./desk.worker.ts";

export const deskFeature = defineFeature<Config>({
  name: "desk",
  about:
    "The desk of dispatchers: calls, units and what happens, on one page. Who has it open is *signed on* as a dispatcher of the own job, on duty in it or with the permission to dispatch without. Each open *window* keeps this up; several of one person count once.",
  needs: ["audit", "calls", "citizens", "duty", "jobs"],
  contract: { ...deskContract, retention: [purgeDesk], keptForGood: [{ kind: "people", tables: ["desk_people"] }] },
  tables: [deskPeople, deskWindows],
  demoGrants: deskDemoGrants,
  create(context) {
    const service = new DeskService({
      ...context,
      audit: context.use(auditApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
    });
    context.use(callsApi).registerDesk({
      signedOn: async (tx, job) => (await service.api.dispatchersOf(tx, job)).map(({ citizenId }) => citizenId),
    });
    return {
      api: service.api,
      routes: deskRoutes(service),
      topics: deskTopics(),
      events: deskEvents(service),
      tasks: deskTasks(service),
      retention: [deskRetention({ windows: removeEnded })],
    };
  },
});

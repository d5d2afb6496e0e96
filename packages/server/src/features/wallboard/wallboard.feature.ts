import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { linksApi } from "#features/links/links.api.ts";
import { unitsApi } from "#features/units/units.api.ts";
import { wallboardContract } from "./wallboard.contract.ts";
import { wallboardDemoGrants } from "./wallboard.demo.policy.ts";
import { wallboardRoutes, wallboardTopics } from "./wallboard.routes.ts";
import { WallboardService } from "./wallboard.service.ts";

export const wallboardFeature = defineFeature<Config>({
  name: "wallboard",
  about:
    "A screen on the wall of a dispatch centre: which calls wait, how many units have which status, and how many people are on duty. A *link* opens it without an account, and shows neither callers nor what they said.",
  needs: ["assignments", "audit", "calls", "duty", "jobs", "links", "units"],
  contract: wallboardContract,
  tables: [],
  demoGrants: wallboardDemoGrants,
  create(context) {
    const service = new WallboardService({
      ...context,
      publicUrl: context.config.http.publicURL,
      audit: context.use(auditApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      links: context.use(linksApi),
      units: context.use(unitsApi),
    });
    return { routes: wallboardRoutes(service), topics: wallboardTopics() };
  },
});

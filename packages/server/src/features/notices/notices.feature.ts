import { defineFeature } from "#core/feature.ts";
import { accesslistsApi } from "#features/accesslists/accesslists.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { noticesContract } from "./notices.contract.ts";
import { noticesRetention, purgeNotices } from "./notices.jobs.ts";
import { noticesRoutes, noticesTopics } from "./notices.routes.ts";
import { notices } from "./notices.schema.ts";
import { createNoticesService } from "./notices.service.ts";

export const noticesFeature = defineFeature({
  name: "notices",
  needs: ["accesslists", "audit", "jobs"],
  contract: { ...noticesContract, retention: [purgeNotices] },
  tables: [notices],
  create(context) {
    const service = createNoticesService({
      ...context,
      accesslists: context.use(accesslistsApi),
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
    });
    return { routes: noticesRoutes(service), topics: noticesTopics(), retention: [noticesRetention(service)] };
  },
});

import { defineFeature } from "#core/feature.ts";
import { accesslistsApi } from "#features/accesslists/accesslists.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { NoticeBoard } from "./notices.board.service.ts";
import { noticeLevels, noticesContract } from "./notices.contract.ts";
import { noticesDemoGrants } from "./notices.demo.policy.ts";
import { rulesOf } from "./notices.policy.ts";
import { find, noticeKind } from "./notices.repo.ts";
import { noticesRetention, purgeNotices } from "./notices.schedules.ts";
import { noticesRoutes, noticesTopics } from "./notices.routes.ts";
import { notices } from "./notices.schema.ts";
import { NoticesService } from "./notices.service.ts";

export const noticesFeature = defineFeature({
  name: "notices",
  about: "Announcements on the home page, each with an access list.",
  needs: ["accesslists", "audit", "jobs"],
  contract: { ...noticesContract, retention: [purgeNotices] },
  tables: [notices],
  demoGrants: noticesDemoGrants,
  create(context) {
    const lists = context.use(accesslistsApi).register({
      kind: noticeKind,
      levels: noticeLevels,
      async rules(tx, id) {
        const row = await find(tx, id);
        return row && row.deleted_at === null ? rulesOf(row) : null;
      },
    });
    const board = new NoticeBoard({ ...context, jobs: context.use(jobsApi), lists });
    const service = new NoticesService({ ...context, audit: context.use(auditApi), board, lists });
    return { routes: noticesRoutes(board, service), topics: noticesTopics(), retention: [noticesRetention(service)] };
  },
});

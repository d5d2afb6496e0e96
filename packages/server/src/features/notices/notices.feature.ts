import { defineFeature } from "#core/feature.ts";
import { accesslistsApi } from "#features/accesslists/accesslists.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { NoticeAttachments } from "./notices.attachments.service.ts";
import { NoticeBoard } from "./notices.board.service.ts";
import { noticeLevels, noticesContract } from "./notices.contract.ts";
import { noticesDemoGrants } from "./notices.demo.policy.ts";
import { rulesOf } from "./notices.policy.ts";
import { find, noticeKind } from "./notices.repo.ts";
import { noticesRetention, purgeNotices } from "./notices.schedules.ts";
import { noticesRoutes, noticesTopics } from "./notices.routes.ts";
import { notices } from "./notices.schema.ts";
import { NoticesService } from "./notices.service.ts";
import { NoticeFinder } from "./notices.visible.service.ts";

export const noticesFeature = defineFeature({
  name: "notices",
  about: "Announcements on the home page, each with an access list.",
  needs: ["accesslists", "audit", "files", "jobs"],
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
    const finder = new NoticeFinder(lists);
    const attachments: NoticeAttachments = new NoticeAttachments({
      files: context.use(filesApi),
      lists,
      finder,
      lost: async (tx, row) => await service.attachmentLost(tx, row),
    });
    const board = new NoticeBoard({ ...context, jobs: context.use(jobsApi), lists, finder, attachments });
    const service = new NoticesService({ ...context, audit: context.use(auditApi), board, lists, finder, attachments });
    return { routes: noticesRoutes(board, service), topics: noticesTopics(lists), retention: [noticesRetention(service)] };
  },
});

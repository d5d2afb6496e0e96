import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accessApi } from "#features/access/access.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { AnswersService } from "./conduct.answers.service.ts";
import { ConductAttachments } from "./conduct.attachments.service.ts";
import { conductContract } from "./conduct.contract.ts";
import { conductDemoGrants } from "./conduct.demo.policy.ts";
import { ConductDemo } from "./conduct.demo.service.ts";
import { conductEvents } from "./conduct.events.ts";
import { conductExportKind } from "./conduct.export.kind.service.ts";
import { FollowService } from "./conduct.follow.service.ts";
import { removeDeleted } from "./conduct.kinds.repo.ts";
import { KindsService } from "./conduct.kinds.service.ts";
import { ConductLists } from "./conduct.list.service.ts";
import { ConductRecord } from "./conduct.record.service.ts";
import { ReleaseService } from "./conduct.release.service.ts";
import { conductRoutes, conductTopics } from "./conduct.routes.ts";
import { conductRetention, purgeConduct } from "./conduct.schedules.ts";
import { conductEntries, conductKinds, conductRules } from "./conduct.schema.ts";
import { ConductService } from "./conduct.service.ts";
import { ShownEntries } from "./conduct.shown.service.ts";
import { Watchers } from "./conduct.watchers.service.ts";

export const conductFeature = defineFeature<Config>({
  name: "conduct",
  about:
    "What a job writes down about the conduct of its people: a draft until it is *released* to its person, who acknowledges it and may reply once. It is never changed then, only *withdrawn* with a reason. Its *kind* says whether it is positive or negative; its *points* count until the day of its expiry. A *threshold* is a number of negative points at which others are notified.",
  needs: ["access", "accounts", "audit", "citizens", "files", "jobs", "notifications"],
  contract: {
    ...conductContract,
    retention: [purgeConduct],
    keptForGood: [{ kind: "rules", tables: ["conduct_rules"] }],
  },
  tables: [conductEntries, conductKinds, conductRules],
  demoGrants: conductDemoGrants,
  create(context) {
    const shared = {
      ...context,
      access: context.use(accessApi),
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
    };
    const record = new ConductRecord(shared);
    const attachments: ConductAttachments = new ConductAttachments({
      ...shared,
      files: context.use(filesApi),
      requireWrite: async (tx, viewer, row) => await shown.requireWrite(tx, viewer, row),
      lost: async (tx, row) => await follow.attachmentLost(tx, row),
    });
    const shown: ShownEntries = new ShownEntries({ ...shared, attachments, zone: context.config.database.dsn.zone });
    const follow: FollowService = new FollowService({ ...shared, attachments, record });
    const kinds = new KindsService(shared);
    const parts = { ...shared, attachments, kinds, record, shown };
    const service = new ConductService(parts);
    const releases = new ReleaseService({ ...parts, watchers: new Watchers(shared) });
    const lists = new ConductLists(parts);
    return {
      routes: conductRoutes({ service, releases, answers: new AnswersService(parts), lists, kinds }),
      topics: conductTopics(),
      exports: [conductExportKind(lists)],
      events: conductEvents(follow),
      retention: [conductRetention(follow, removeDeleted)],
      demo: async (demo) => await new ConductDemo({ ...shared, shown, service, releases }).load(demo),
    };
  },
});

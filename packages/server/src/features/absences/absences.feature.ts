import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accessApi } from "#features/access/access.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { Approvers } from "./absences.approvers.service.ts";
import { AbsenceChanges } from "./absences.changes.service.ts";
import { absencesContract } from "./absences.contract.ts";
import { AbsenceDecisions } from "./absences.decide.service.ts";
import { absencesDemoGrants } from "./absences.demo.policy.ts";
import { AbsencesDemo } from "./absences.demo.service.ts";
import { AbsenceEndings } from "./absences.end.service.ts";
import { absencesEvents } from "./absences.events.ts";
import { absencesExportKind } from "./absences.export.kind.service.ts";
import { removeDeleted } from "./absences.kinds.repo.ts";
import { KindsService } from "./absences.kinds.service.ts";
import { AbsenceLists } from "./absences.list.service.ts";
import { removeEnded } from "./absences.repo.ts";
import { absencesRoutes, absencesTopics } from "./absences.routes.ts";
import { absencesRetention, purgeAbsences } from "./absences.schedules.ts";
import { absences, absencesKinds, absencesRules } from "./absences.schema.ts";
import { AbsencesService } from "./absences.service.ts";
import { ShownAbsences } from "./absences.shown.service.ts";
import { absencesTasks } from "./absences.worker.ts";

export const absencesFeature = defineFeature<Config>({
  name: "absences",
  about:
    "Days on which people of a job are away, entered as the first and the last one. A *kind* is what a job calls them, with its limits; one that needs approval is *requested* until somebody of a higher grade decides. The *substitute* stands in for somebody in this time. The *share* of a job says with how many absent at once the form warns.",
  needs: ["access", "accounts", "approvals", "audit", "citizens", "icons", "jobs", "notifications"],
  contract: {
    ...absencesContract,
    retention: [purgeAbsences],
    keptForGood: [{ kind: "rules", tables: ["absences_rules"] }],
  },
  tables: [absences, absencesKinds, absencesRules],
  demoGrants: absencesDemoGrants,
  create(context) {
    const shared = {
      ...context,
      access: context.use(accessApi),
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      approvals: () => context.registry.approvals(),
    };
    const shown = new ShownAbsences({ ...shared, zone: context.config.database.dsn.zone });
    const kinds = new KindsService(shared);
    const changes = new AbsenceChanges({ ...shared, shown });
    const decisions = new AbsenceDecisions({ ...shared, shown, changes, approvers: new Approvers(shared) });
    const endings = new AbsenceEndings({ ...shared, shown, changes });
    const service = new AbsencesService({ ...shared, shown, decisions, changes });
    const lists = new AbsenceLists({ ...shared, kinds, shown });
    return {
      api: lists.api,
      routes: absencesRoutes({ service, decisions, endings, lists, kinds }),
      topics: absencesTopics(),
      exports: [absencesExportKind(lists)],
      approvalHandlers: [decisions.handler],
      events: absencesEvents(endings),
      tasks: absencesTasks(decisions),
      retention: [absencesRetention({ ended: removeEnded, kinds: removeDeleted })],
      demo: async (demo) => await new AbsencesDemo({ ...shared, shown, service }).load(demo),
    };
  },
});

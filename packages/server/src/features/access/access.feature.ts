import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { panelFindings } from "./access.admins.policy.ts";
import { accessContract, rolesChanged } from "./access.contract.ts";
import { accessDemoGrants } from "./access.demo.policy.ts";
import { DefaultRoleService } from "./access.default.service.ts";
import { ExplainService } from "./access.explain.service.ts";
import { LimitsService } from "./access.limits.service.ts";
import { MatrixService } from "./access.matrix.service.ts";
import { PreviewService } from "./access.preview.service.ts";
import { RolesService } from "./access.roles.service.ts";
import { accessRoutes } from "./access.routes.ts";
import { AttributeRows } from "./access.rows.service.ts";
import {
  accessEpochs,
  accessGrants,
  accessLimits,
  accessLimitsRevisions,
  accessRevisions,
  accessRoles,
} from "./access.schema.ts";
import { AccessService } from "./access.service.ts";

export const accessFeature = defineFeature<Config>({
  name: "access",
  about:
    "Permissions, roles and admin powers. A *permission* is a declared right; its *attributes* refine it (which fields, which jobs). A *rank* is an attribute that says whose objects the right reaches: the own ones, those of lower grades, of the own grade, or of anybody. A *data attribute* names rows of a feature, such as types of licences, and narrows the right to them. A *role* is what a job grants from a grade upwards; the *default role* applies to everybody. *Limits* of a job are the most that its roles may grant. A *bundle* is a suggested set of permissions for a role. *Seeing as* a grade is a mode with only the rights of a lower grade.",
  needs: ["audit", "citizens", "jobs", "settings"],
  contract: accessContract,
  tables: [accessRoles, accessGrants, accessEpochs, accessLimits, accessRevisions, accessLimitsRevisions],
  demoGrants: accessDemoGrants,
  create(context) {
    const { startJobGrade } = context.config.game;
    const permissions = () => context.registry.permissions();
    const rows = new AttributeRows({
      db: context.db,
      permissions,
      attributeSources: () => context.registry.parts("attributeSources"),
    });
    const access = new AccessService({
      ...context,
      audit: context.use(auditApi),
      settings: context.use(settingsApi),
      admins: context.config.auth,
      startJobGrade,
      permissions,
      rows,
      log: context.logs.subsystem("perms"),
    });
    const shared = { db: context.db, access, rows, jobs: context.use(jobsApi) };
    const roles = new RolesService(shared);
    return {
      api: access,
      routes: accessRoutes({
        rows,
        explain: new ExplainService({ ...shared, citizens: context.use(citizensApi), permissions }),
        roles,
        matrix: new MatrixService({ ...shared, roles }),
        preview: new PreviewService(shared),
        defaultRole: new DefaultRoleService({ ...shared, startJobGrade }),
        limits: new LimitsService({ ...shared, permissions }),
      }),
      listeners: [{ event: rolesChanged, onEvent: () => access.invalidateRoles(), onMissed: () => access.invalidateRoles() }],
      checks: [
        {
          id: "access.panelAdmins",
          run: async () => panelFindings(await access.panelAdmins()),
        },
      ],
      start: async () => await access.start(),
    };
  },
});

import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { accessContract, rolesChanged } from "./access.contract.ts";
import { createExplainService } from "./access.explain.service.ts";
import { createLimitsService } from "./access.limits.service.ts";
import { createRolesService } from "./access.roles.service.ts";
import { accessRoutes } from "./access.routes.ts";
import {
  accessEpochs,
  accessGrants,
  accessLimits,
  accessLimitsRevisions,
  accessRevisions,
  accessRoles,
} from "./access.schema.ts";
import { createAccessService } from "./access.service.ts";

export const accessFeature = defineFeature<Config>({
  name: "access",
  needs: ["audit", "citizens", "jobs", "settings"],
  contract: accessContract,
  tables: [accessRoles, accessGrants, accessEpochs, accessLimits, accessRevisions, accessLimitsRevisions],
  create(context) {
    const { startJobGrade } = context.config.game;
    const { permissions } = context.registry;
    const access = createAccessService({
      ...context,
      audit: context.use(auditApi),
      settings: context.use(settingsApi),
      admins: context.config.auth,
      startJobGrade,
      permissions,
      log: context.logs.subsystem("perms"),
    });
    const shared = { db: context.db, access, jobs: context.use(jobsApi), startJobGrade };
    return {
      api: access,
      routes: accessRoutes({
        explain: createExplainService({ ...shared, citizens: context.use(citizensApi), permissions }),
        roles: createRolesService(shared),
        limits: createLimitsService({ ...shared, permissions }),
      }),
      listeners: [{ event: rolesChanged, heard: () => access.heardChange() }],
      checks: [
        {
          id: "access.panelAdmins",
          async run() {
            const found = await access.panelAdmins();
            if (found.length === 0) return [];
            const list = found.map(({ power, by, name }) => `${power} ${by} ${name}`).join(", ");
            return [{ id: "access.panelAdmins", state: "warning", params: { count: found.length, list } }];
          },
        },
      ],
      start: access.start,
    };
  },
});

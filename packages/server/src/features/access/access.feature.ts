import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { accessContract, rolesChanged } from "./access.contract.ts";
import { accessEpochs, accessGrants, accessRoles } from "./access.schema.ts";
import { createAccessService } from "./access.service.ts";

export const accessFeature = defineFeature<Config>({
  name: "access",
  needs: ["audit"],
  contract: accessContract,
  tables: [accessRoles, accessGrants, accessEpochs],
  create(context) {
    const service = createAccessService({
      ...context,
      audit: context.use(auditApi),
      admins: context.config.auth,
      startJobGrade: context.config.game.startJobGrade,
      permissions: context.registry.permissions,
      log: context.logs.subsystem("perms"),
    });
    return {
      api: service,
      listeners: [{ event: rolesChanged, heard: () => service.heardChange() }],
      start: async () => await service.alignDefaultRole(),
    };
  },
});

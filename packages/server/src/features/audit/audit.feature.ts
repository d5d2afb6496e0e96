import { defineFeature } from "#core/feature.ts";
import { auditEntries } from "./audit.schema.ts";
import { createAuditService } from "./audit.service.ts";

export const auditFeature = defineFeature({
  name: "audit",
  needs: [],
  contract: {},
  tables: [auditEntries],
  create: ({ clock }) => ({ api: createAuditService(clock) }),
});

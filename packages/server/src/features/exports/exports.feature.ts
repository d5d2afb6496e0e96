import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { createExportTexts } from "#core/texts.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { exportsContract } from "./exports.contract.ts";
import { exportsEvents } from "./exports.events.ts";
import { exportsRoutes } from "./exports.routes.ts";
import { exportsRetention, purgeExports } from "./exports.schedules.ts";
import { exportsTable } from "./exports.schema.ts";
import { ExportsService } from "./exports.service.ts";
import { exportsTasks } from "./exports.worker.ts";
import { exportsNamespace, ExportWriter } from "./exports.write.service.ts";

export const exportsFeature = defineFeature<Config>({
  name: "exports",
  about:
    "Lists as CSV files, written in the background with the rights of the person who requested them. A *kind* is a list that a feature offers for export. An export is *open* until its file is complete; the file is kept for a day.",
  needs: ["accounts", "audit", "auth", "files", "notifications"],
  contract: { ...exportsContract, retention: [purgeExports] },
  tables: [exportsTable],
  create(context) {
    const { config, registry } = context;
    context.use(filesApi).temporary(exportsNamespace);
    const shared = {
      ...context,
      audit: context.use(auditApi),
      auth: context.use(authApi),
      zone: config.database.dsn.zone,
      kind: (id: string) => registry.parts("exports").find((kind) => kind.id === id) ?? null,
    };
    const service = new ExportsService(shared);
    const writer = new ExportWriter({
      ...shared,
      log: context.logs.subsystem("exports"),
      notifications: context.use(notificationsApi),
      texts: (kind, language) => texts()(kind, language),
    });
    const texts = once(() => createExportTexts([...new Set(registry.parts("exports").map(({ id }) => id.split(".", 1)[0]!))]));
    return {
      routes: exportsRoutes(service),
      tasks: exportsTasks(writer),
      events: exportsEvents(service),
      retention: [exportsRetention(service)],
      restored: async (tx) => await service.restored(tx),
    };
  },
});

/** The kinds are known once every feature was created. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | null = null;
  return () => (created ??= { value: create() }).value;
}

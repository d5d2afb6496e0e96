import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import type { FileKind, FilesApi } from "./files.api.ts";
import { createFilesBrowser } from "./files.browse.service.ts";
import { createFilesCleaner } from "./files.clean.service.ts";
import { filesContract } from "./files.contract.ts";
import { cleanFiles, filesJobs, filesRetention, measureFiles, sweepFiles } from "./files.jobs.ts";
import { createFilesMeasure } from "./files.measure.service.ts";
import { createFilesMove } from "./files.move.service.ts";
import { filesRoutes } from "./files.routes.ts";
import { files, filesMoves, filesReferences } from "./files.schema.ts";
import { createFilesService } from "./files.service.ts";

export const filesFeature = defineFeature<Config>({
  name: "files",
  needs: ["audit", "settings"],
  contract: { ...filesContract, jobs: [sweepFiles, measureFiles], retention: [cleanFiles] },
  tables: [files, filesReferences, filesMoves],
  create(context) {
    const { metricsEnabled, metricsInterval } = context.config.storage;
    const kinds = new Map<string, FileKind>();
    const shared = {
      ...context,
      kinds,
      log: context.logs.subsystem("files"),
      audit: context.use(auditApi),
      settings: context.use(settingsApi),
    };
    const service = createFilesService(shared);
    const cleaner = createFilesCleaner(shared);
    const browser = createFilesBrowser({ ...shared, address: service.address });
    const measure = createFilesMeasure({ ...context, enabled: metricsEnabled, everyMs: metricsInterval });
    const api: FilesApi = {
      address: service.address,
      move: createFilesMove(shared),
      register(kind) {
        if (kinds.has(kind.kind)) throw new Error(`the kind of files ${kind.kind} is there twice`);
        kinds.set(kind.kind, kind);
        return service.owned(kind);
      },
    };
    return {
      api,
      routes: filesRoutes(service, browser),
      jobs: filesJobs(cleaner, measure, { metricsEnabled, metricsInterval }),
      retention: [filesRetention(cleaner)],
    };
  },
});

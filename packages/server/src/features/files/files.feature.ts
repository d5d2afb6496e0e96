import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { createOwnObjects } from "#core/own-objects.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import type { FileKind, FilesApi } from "./files.api.ts";
import { FileAddresses } from "./files.addresses.service.ts";
import { FilesBrowser } from "./files.browse.service.ts";
import { FilesCleaner } from "./files.clean.service.ts";
import { filesContract } from "./files.contract.ts";
import { UploadExaminer } from "./files.examine.service.ts";
import { cleanFiles, filesSchedules, filesRetention, measureFiles, sweepFiles } from "./files.schedules.ts";
import { UsageMeter } from "./files.measure.service.ts";
import { FilesMover } from "./files.move.service.ts";
import { FilesOfKind } from "./files.owned.service.ts";
import { PicturesOfKind } from "./files.picture.service.ts";
import { filesRoutes } from "./files.routes.ts";
import { files, filesList, filesMoves, filesReferences } from "./files.schema.ts";
import { FilesService } from "./files.service.ts";
import { UploadService } from "./files.upload.service.ts";

export const filesFeature = defineFeature<Config>({
  name: "files",
  about:
    "Uploads. A *kind* says what a file is for; an *owner* refers to it. An *orphan* has no owner and is deleted after a day. A *namespace* is where the objects of a kind are stored, each under its *key*.",
  needs: ["audit", "settings"],
  contract: { ...filesContract, schedules: [sweepFiles, measureFiles], retention: [cleanFiles] },
  tables: [files, filesReferences, filesMoves],
  lists: [filesList],
  create(context) {
    const { metricsEnabled, metricsInterval } = context.config.storage;
    const kinds = new Map<string, FileKind>();
    const temporary = new Set<string>();
    const namespaces = () => new Set([...kinds.values()].map(({ namespace }) => namespace));
    const own = createOwnObjects(namespaces);
    const shared = {
      ...context,
      kinds,
      own,
      log: context.logs.subsystem("files"),
      audit: context.use(auditApi),
      settings: context.use(settingsApi),
    };
    const service = new FilesService(shared);
    const cleaner = new FilesCleaner({ ...shared, own: createOwnObjects(() => new Set([...namespaces(), ...temporary])) });
    const mover = new FilesMover(shared);
    const browser = new FilesBrowser({ ...shared, files: service });
    const uploads = new UploadService({ ...shared, files: service, examiner: new UploadExaminer(context.pictures) });
    const meter = new UsageMeter({ ...context, enabled: metricsEnabled, everyMs: metricsInterval });
    const register = (kind: FileKind) => {
      if (kinds.has(kind.kind)) throw new Error(`the kind of files ${kind.kind} is registered twice`);
      kinds.set(kind.kind, kind);
      return new FilesOfKind(kind, { ...shared, files: service });
    };
    const api: FilesApi = {
      own,
      temporary: (namespace) => void temporary.add(namespace),
      move: async (request) => await mover.move(request),
      register,
      registerPicture: (kind) => new PicturesOfKind({ ...shared, files: service, register }, kind),
    };
    return {
      api,
      routes: filesRoutes({ service, uploads, browser, addresses: new FileAddresses({ ...shared, files: service }) }),
      schedules: filesSchedules(cleaner, meter, { metricsEnabled, metricsInterval }),
      retention: [filesRetention(cleaner)],
    };
  },
});

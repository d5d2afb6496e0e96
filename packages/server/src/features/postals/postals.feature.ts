import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { postalsContract } from "./postals.contract.ts";
import { PostalsDemo } from "./postals.demo.service.ts";
import { PostalsFile } from "./postals.file.service.ts";
import { postalsRoutes } from "./postals.routes.ts";
import { PostalsService } from "./postals.service.ts";

export const postalsFeature = defineFeature<Config>({
  name: "postals",
  about:
    "Postal codes of the map, from the file of `postalsFile`. The *nearest* one says where something is; its *distance* is in a straight line, in metres.",
  needs: [],
  contract: postalsContract,
  tables: [],
  create(context) {
    const { config, logs, metrics } = context;
    const log = logs.subsystem("postals");
    const file = new PostalsFile({ ...context, file: config.postalsFile, log });
    const service = new PostalsService(file);
    metrics.gauge("rollcall_postals_codes", "Postal codes in use", () => file.set.postals.length);
    return {
      api: service,
      routes: postalsRoutes(service),
      search: [{ kind: "postals", find: async (_viewer, query, limit) => service.hits(query, limit) }],
      checks: [{ id: "postals.file", run: async () => await service.findings() }],
      demo: async (demo) => await new PostalsDemo({ file: config.postalsFile, log }).load(demo),
      start: async () => await file.start(),
      stop: async () => file.stop(),
    };
  },
});

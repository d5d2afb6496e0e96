import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "#config/index.ts";
import { cacheFolder } from "#core/cache-folder.ts";
import { defineFeature } from "#core/feature.ts";
import { iconsContract } from "./icons.contract.ts";
import { createLocalSets } from "./icons.local.service.ts";
import { createProxiedSets } from "./icons.proxied.service.ts";
import { iconsRoutes } from "./icons.routes.ts";
import { createIcons } from "./icons.service.ts";

/** The set that comes with the program. */
const shipped = path.resolve(import.meta.dirname, "../../../../../icons");

export const iconsFeature = defineFeature<Config>({
  name: "icons",
  needs: [],
  contract: iconsContract,
  tables: [],
  create(context) {
    const { proxy, apiUrl, path: configured } = context.config.icons;
    const folder = existsSync(configured) ? configured : shipped;
    const log = context.logs.subsystem("icons");
    const local = proxy ? null : createLocalSets({ ...context, folder, log });
    const source = local ?? createProxiedSets({ ...context, apiUrl, folder: cacheFolder(context.config, "icons"), log });
    const service = createIcons({ local, source, folder });
    return {
      api: service.api,
      routes: iconsRoutes(service),
      checks: [{ id: "icons.sets", run: service.examine }],
    };
  },
});

import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "#config/index.ts";
import { cacheFolder } from "#core/cache-folder.ts";
import { defineFeature } from "#core/feature.ts";
import { iconsContract } from "./icons.contract.ts";
import { LocalSets } from "./icons.local.service.ts";
import { ProxiedSets } from "./icons.proxied.service.ts";
import { iconsRoutes } from "./icons.routes.ts";
import { IconsService } from "./icons.service.ts";

/** The folder of the set that is part of Rollcall. */
const shipped = path.resolve(import.meta.dirname, "../../../../../icons");

export const iconsFeature = defineFeature<Config>({
  name: "icons",
  about:
    "Icon sets, with names like `tabler:user`: the *prefix* names the set. An *alias* is another name of an icon, perhaps rotated or flipped.",
  needs: [],
  contract: iconsContract,
  tables: [],
  create(context) {
    const { proxy, apiUrl, path: configured } = context.config.icons;
    const folder = existsSync(configured) ? configured : shipped;
    const log = context.logs.subsystem("icons");
    const local = proxy ? null : new LocalSets({ ...context, folder, log });
    const source = local ?? new ProxiedSets({ ...context, apiUrl, folder: cacheFolder(context.config, "icons"), log });
    const service = new IconsService({ local, source, folder });
    return {
      api: service,
      routes: iconsRoutes(service),
      checks: [{ id: "icons.sets", run: async () => await service.findings() }],
    };
  },
});

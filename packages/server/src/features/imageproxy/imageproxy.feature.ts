import { createHash } from "node:crypto";
import type { Config } from "#config/index.ts";
import { cacheFolder } from "#core/cache-folder.ts";
import { defineFeature } from "#core/feature.ts";
import { imageproxyContract } from "./imageproxy.contract.ts";
import { createDisk } from "./imageproxy.disk.service.ts";
import { createFetcher, usualFetchLimits } from "./imageproxy.fetch.service.ts";
import { createHotPictures } from "./imageproxy.hot.service.ts";
import { hostRules } from "./imageproxy.policy.ts";
import { imageproxyRoutes } from "./imageproxy.routes.ts";
import { createImageProxy } from "./imageproxy.service.ts";

const mostOnDisk = 512 * 1024 * 1024;
const mostInMemory = 32 * 1024 * 1024;
const largestInMemory = 1024 * 1024;

export const imageproxyFeature = defineFeature<Config>({
  name: "imageproxy",
  needs: [],
  contract: imageproxyContract,
  tables: [],
  create(context) {
    const { config, clock, ids, metrics } = context;
    const { allowHosts, denyHosts, minimumCacheDuration } = config.imageProxy.options;
    const folder = cacheFolder(config, "images");
    const rules = hostRules(allowHosts, denyHosts);
    const requests = metrics.counter("rollcall_imageproxy_requests_total", "Pictures asked for, by where they came from", [
      "outcome",
    ]);
    const refusals = metrics.counter("rollcall_imageproxy_refusals_total", "Pictures not given, by reason", ["reason"]);
    const served = metrics.counter("rollcall_imageproxy_served_bytes_total", "Bytes of pictures given");
    const fetched = metrics.counter("rollcall_imageproxy_fetched_bytes_total", "Bytes that origins sent");
    const disk = createDisk({ folder, clock, ids, log: context.logs.subsystem("imageproxy"), mostBytes: mostOnDisk });
    metrics.gauge("rollcall_imageproxy_cache_bytes", "Bytes of pictures on disk", disk.bytes);
    const service = createImageProxy({
      clock,
      signer: context.signer,
      rules,
      rulesName: createHash("sha256")
        .update(JSON.stringify([allowHosts, denyHosts]))
        .digest("base64url"),
      disk,
      hot: createHotPictures({ mostBytes: mostInMemory, largest: largestInMemory }),
      fetchPicture: createFetcher({
        ...context,
        rules,
        minimumMs: minimumCacheDuration,
        limits: usualFetchLimits,
        fetched: (bytes) => fetched.inc({}, bytes),
      }),
      ended(outcome, detail) {
        requests.inc({ outcome });
        if (typeof detail === "number") served.inc({}, detail);
        else refusals.inc({ reason: detail });
      },
    });
    return {
      api: service.api,
      routes: imageproxyRoutes(service),
      checks: [
        {
          id: "imageproxy.folder",
          run: async () => {
            try {
              await disk.probe();
              return [];
            } catch (error) {
              const params = { folder, reason: (error as Error).message };
              return [{ id: "imageproxy.folderUnwritable", state: "warning", params }];
            }
          },
        },
      ],
    };
  },
});

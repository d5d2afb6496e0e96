import { createHash } from "node:crypto";
import type { Config } from "#config/index.ts";
import { cacheFolder } from "#core/cache-folder.ts";
import { defineFeature } from "#core/feature.ts";
import { imageproxyContract } from "./imageproxy.contract.ts";
import { PictureDisk } from "./imageproxy.disk.service.ts";
import { PictureFetcher, usualFetchLimits } from "./imageproxy.fetch.service.ts";
import { PictureFinder } from "./imageproxy.find.service.ts";
import { PictureMemoryCache } from "./imageproxy.hot.service.ts";
import { PictureEncoder } from "./imageproxy.picture.service.ts";
import { hostRules } from "./imageproxy.policy.ts";
import { imageproxyRoutes } from "./imageproxy.routes.ts";
import { ImageProxy } from "./imageproxy.service.ts";

const mostOnDisk = 512 * 1024 * 1024;
const mostInMemory = 32 * 1024 * 1024;
const largestInMemory = 1024 * 1024;

export const imageproxyFeature = defineFeature<Config>({
  name: "imageproxy",
  about:
    "Pictures of other sites, fetched, encoded again and cached by the server. The *signature* makes the address of one valid (a signed URL); a cached picture is *fresh* until its origin has to be asked again.",
  needs: [],
  contract: imageproxyContract,
  tables: [],
  create(context) {
    const { config, clock, ids, metrics } = context;
    const { allowHosts, denyHosts, minimumCacheDuration } = config.imageProxy.options;
    const folder = cacheFolder(config, "images");
    const rules = hostRules(allowHosts, denyHosts);
    const requests = metrics.counter("rollcall_imageproxy_requests_total", "Requested pictures, by outcome", ["outcome"]);
    const refusals = metrics.counter("rollcall_imageproxy_refusals_total", "Refused pictures, by reason", ["reason"]);
    const served = metrics.counter("rollcall_imageproxy_served_bytes_total", "Bytes of served pictures");
    const fetched = metrics.counter("rollcall_imageproxy_fetched_bytes_total", "Bytes that origins sent");
    const disk = new PictureDisk({ folder, clock, ids, log: context.logs.subsystem("imageproxy"), mostBytes: mostOnDisk });
    metrics.gauge("rollcall_imageproxy_cache_bytes", "Bytes of pictures on disk", async () => await disk.bytes());
    const finder = new PictureFinder({
      clock,
      rules,
      rulesName: createHash("sha256")
        .update(JSON.stringify([allowHosts, denyHosts]))
        .digest("base64url"),
      disk,
      hot: new PictureMemoryCache({ mostBytes: mostInMemory, largest: largestInMemory }),
      fetcher: new PictureFetcher({
        ...context,
        rules,
        minimumMs: minimumCacheDuration,
        limits: usualFetchLimits,
        encoder: new PictureEncoder(context.pictures),
        onFetched: (bytes) => fetched.inc({}, bytes),
      }),
      onOutcome(outcome, detail) {
        requests.inc({ outcome });
        if (typeof detail === "number") served.inc({}, detail);
        else refusals.inc({ reason: detail });
      },
    });
    const service = new ImageProxy({ clock, signer: context.signer, rules, finder });
    return {
      api: service,
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

import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import type { TracesApi } from "./traces.api.ts";
import { tracesContract } from "./traces.contract.ts";
import { browserTracing } from "./traces.policy.ts";
import { tracesRoutes } from "./traces.routes.ts";
import { TracesService } from "./traces.service.ts";

export const tracesFeature = defineFeature<Config>({
  name: "traces",
  about:
    "Receives spans of browsers and passes them on to the collector. A *trace* is everything that one request or run caused; a *span* is one step of it, with its duration.",
  needs: [],
  contract: tracesContract,
  tables: [],
  create(context) {
    const { otlp } = context.config;
    const api: TracesApi = { forBrowsers: () => browserTracing(otlp) };
    return { api, routes: tracesRoutes(new TracesService({ ...context, otlp })) };
  },
});

import { bind, type Binding } from "#core/feature.ts";
import { relayTraces } from "./traces.contract.ts";
import type { TracesService } from "./traces.service.ts";

export function tracesRoutes(service: TracesService): Binding[] {
  return [
    bind(relayTraces, async (_call, { body }) => {
      service.relay(body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      return {};
    }),
  ];
}

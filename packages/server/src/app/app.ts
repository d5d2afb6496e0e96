import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { Config, LoadedConfig } from "#config/index.ts";
import { assemble } from "#core/assemble.ts";
import type { Feature } from "#core/feature.ts";
import { createErrorTexts } from "#core/texts.ts";
import { version } from "#core/version.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { linksApi } from "#features/links/links.api.ts";
import { setupApi } from "#features/setup/setup.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { syncErrors } from "#features/sync/sync.contract.ts";
import { createAdminServer } from "#infra/http/admin.ts";
import { mountDocs } from "#infra/http/docs.ts";
import { rateLimits, type RateLimits } from "#infra/http/rate.ts";
import { createHttpServer } from "#infra/http/server.ts";
import { mountWeb } from "#infra/http/web.ts";
import { features } from "./features.ts";
import { createErrorAudit } from "./error-audit.ts";
import { closeRefused, openContainer, type Container, type Overrides } from "./container.ts";
import { type Role, type RunningProcess, ServerProcess } from "./lifecycle.ts";
import { linkListener, liveSockets, objectListeners, rightsListeners } from "./realtime.ts";
import { retentionOf } from "./retention.ts";
import { tracesAlias, tracesOrigins } from "./browser-tracing.ts";

export interface AppOptions {
  readonly loaded: LoadedConfig;
  readonly roles: readonly Role[];
  /** For tests and benchmarks. */
  readonly overrides?: Overrides;
  readonly rates?: RateLimits;
  /** For tests: in addition to those of the program. */
  readonly features?: readonly Feature<Config>[];
}

const builtWeb = path.resolve(import.meta.dirname, "../../../web/dist");

/** The composition root: composes the whole program. Nothing runs until `start()`. */
export async function createApp(options: AppOptions): Promise<RunningProcess> {
  const container = await openContainer(options.loaded, options.overrides ?? {});
  try {
    return await compose(options, container);
  } catch (error) {
    await closeRefused(options.loaded, container, error);
    throw error;
  }
}

async function compose(options: AppOptions, container: Container): Promise<RunningProcess> {
  const { loaded, roles } = options;
  const { config } = loaded;
  const assembly = assemble([...features, ...(options.features ?? [])], container.ports, retentionOf(container.ports));
  const auth = assembly.api(authApi);
  const links = assembly.api(linksApi);
  const hub = container.live.open({ ...container, auth, links, topics: assembly.topics });
  // The hub's come last: connections check their rights by what the features have in memory.
  const ofHub = [
    ...rightsListeners(hub, auth.rightsEvents, container.logs),
    linkListener(hub, container.logs),
    ...objectListeners(hub, assembly, container.logs),
  ];
  container.ports.listeners.add([...assembly.listeners, ...ofHub]);
  const page = {
    publicUrl: config.http.publicURL,
    origins: config.http.origins,
    gameResource: config.http.gameResource ?? "rollcall",
    nonce: () => container.ports.ids.secret(16),
    connect: tracesOrigins(config.otlp),
  };

  async function createWeb(): Promise<FastifyInstance> {
    const notes = createErrorAudit({ ...container.ports, audit: assembly.api(auditApi) });
    return await createHttpServer({
      ...container.ports,
      settings: {
        publicUrl: config.http.publicURL,
        origins: config.http.origins,
        trustedProxies: config.http.trustedProxies,
        cookieSecret: config.http.sessions.cookieSecret,
        cookieDomain: config.http.sessions.domain,
        debug: config.mode === "debug",
        sync: { enabled: config.sync.enabled, tokens: config.sync.apiTokens },
        rates: options.rates ?? rateLimits,
        alias: tracesAlias(config.otlp),
      },
      bindings: assembly.bindings,
      authenticator: auth.authenticator,
      links,
      syncDisabled: syncErrors.disabled,
      idempotency: assembly.api(syncApi).idempotency,
      errorTexts: createErrorTexts(features.map(({ name }) => name)),
      log: container.ports.logs.subsystem("http"),
      ...notes,
      live: liveSockets(hub, assembly.sockets, container.ports.clock),
      mount: [
        (app) => void app.addHook("onClose", notes.flush),
        (app) => mountDocs(app, { ...page, operations: assembly.registry.operations(), version }),
        async (app) => await mountWeb(app, { ...page, root: builtWeb, needsSetup: assembly.api(setupApi).needed }),
      ],
    });
  }

  return new ServerProcess({
    loaded,
    roles,
    container,
    assembly,
    hub,
    web: roles.includes("web") ? await createWeb() : null,
    admin: createAdminServer({ ...container.ports, metrics: container.metrics, version }),
  });
}

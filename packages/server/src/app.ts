import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { LoadedConfig } from "#config/index.ts";
import { assemble } from "#core/assemble.ts";
import { createSentences } from "#core/texts.ts";
import { version } from "#core/version.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { syncErrors } from "#features/sync/sync.contract.ts";
import { createAdminServer } from "#infra/http/admin.ts";
import { mountDocs } from "#infra/http/docs.ts";
import { rateLimits, type RateLimits } from "#infra/http/rate.ts";
import { createHttpServer } from "#infra/http/server.ts";
import { mountWeb } from "#infra/http/web.ts";
import { serveSocket } from "#infra/realtime/ws.ts";
import { features } from "./features.ts";
import { createErrorNotes } from "./denials.ts";
import { createLive } from "./live.ts";
import { abandon, openParts, type OpenedParts, type Surroundings } from "./parts.ts";
import { createProcess, type RunningProcess } from "./process.ts";
import { retentionOf } from "./retention.ts";
import { tracesAlias, tracesOrigins } from "./traces.ts";

/** What one process does. */
export type Role = "web" | "worker" | "bot";

export interface AppOptions {
  readonly loaded: LoadedConfig;
  readonly roles: readonly Role[];
  /** Replaces what surrounds the program; for tests and benchmarks. */
  readonly surroundings?: Surroundings;
  readonly rates?: RateLimits;
}

const builtWeb = path.resolve(import.meta.dirname, "../../web/dist");

/** Composes the whole program; nothing runs until `start()`. */
export async function createApp(options: AppOptions): Promise<RunningProcess> {
  const parts = await openParts(options.loaded, options.surroundings ?? {});
  try {
    return await compose(options, parts);
  } catch (error) {
    await abandon(
      options.loaded,
      { logs: parts.logs, open: [parts.broker, parts.db, parts.tracing, { close: async () => parts.release() }] },
      error,
    );
    throw error;
  }
}

async function compose(options: AppOptions, parts: OpenedParts): Promise<RunningProcess> {
  const { loaded, roles } = options;
  const { config } = loaded;
  const live = createLive();
  const assembly = assemble(features, { ...parts.ports, state: live.state }, retentionOf(parts.ports));
  const auth = assembly.api(authApi);
  const hub = live.open({ ...parts, auth, topics: assembly.topics });
  const page = {
    publicUrl: config.http.publicURL,
    origins: config.http.origins,
    nonce: () => parts.ports.ids.secret(16),
    connect: tracesOrigins(config.otlp),
  };

  async function createWeb(): Promise<FastifyInstance> {
    return await createHttpServer({
      ...parts.ports,
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
      syncDisabled: syncErrors.disabled,
      sentences: createSentences(features.map(({ name }) => name)),
      log: parts.ports.logs.subsystem("http"),
      ...createErrorNotes({ ...parts.ports, audit: assembly.api(auditApi) }),
      live: (socket) => serveSocket(hub, socket),
      mount: [
        (app) => mountDocs(app, { ...page, operations: assembly.registry.operations(), version }),
        async (app) => await mountWeb(app, { ...page, root: builtWeb }),
      ],
    });
  }

  return createProcess({
    loaded,
    roles,
    parts,
    assembly,
    hub,
    web: roles.includes("web") ? await createWeb() : null,
    admin: createAdminServer({ ...parts.ports, metrics: parts.metrics, version, required: ["database"] }),
  });
}

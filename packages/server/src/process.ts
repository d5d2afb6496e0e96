import type { FastifyInstance } from "fastify";
import type { LoadedConfig } from "#config/index.ts";
import type { Assembly } from "#core/assemble.ts";
import type { Subscription } from "#core/ports/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { createTimerRunner } from "#infra/coordination/timers.ts";
import { createStorageWatch } from "#infra/files/watch.ts";
import { listen } from "#infra/http/listen.ts";
import { createJobRunner } from "#infra/jobs/index.ts";
import { createListeners, createReactions, eventStream, generationOf } from "#infra/outbox/index.ts";
import type { RealtimeHub } from "#infra/realtime/hub.ts";
import { tracedJobs } from "#infra/telemetry/traced.ts";
import type { Role } from "./app.ts";
import { noteMigrations } from "./migrated.ts";
import type { OpenedParts } from "./parts.ts";

/** A composed program: starts, tells its addresses, drains and stops. */
export interface RunningProcess {
  readonly assembly: Assembly;
  readonly parts: OpenedParts;
  readonly hub: RealtimeHub;
  readonly web: FastifyInstance | null;
  /** Resolves when it serves. Throws `DatabaseUnavailable`, `MigrationRefused`, `ListenRefused`: one line for the operator. */
  start(): Promise<{ readonly port: number | null; readonly adminPort: number | null }>;
  /** Resolves once everything that waits for database or broker has begun. */
  readonly complete: Promise<void>;
  /** Ends what is under way, tells live clients to go elsewhere, and closes everything. */
  stop(): Promise<void>;
}

interface ProcessParts {
  readonly loaded: LoadedConfig;
  readonly roles: readonly Role[];
  readonly parts: OpenedParts;
  readonly assembly: Assembly;
  readonly hub: RealtimeHub;
  readonly web: FastifyInstance | null;
  readonly admin: FastifyInstance;
}

const retryMs = 2000;

export function createProcess({ loaded, roles, parts, assembly, hub, web, admin }: ProcessParts): RunningProcess {
  const { config } = loaded;
  const { db, broker, relay, migrator, ports } = parts;
  const { health, clock } = ports;
  const log = ports.logs.subsystem("start");
  const working = roles.includes("worker");
  const audit = assembly.api(auditApi);
  const stopping = new AbortController();
  const open: Subscription[] = [];

  function watchParts(): void {
    const tell = (part: string, up: boolean, down: "down" | "degraded", reason: string | null) =>
      health.report(part, up ? "ok" : down, reason);
    tell("database", ports.db.state().up, "down", ports.db.state().reason);
    tell("broker", broker.state().up, "degraded", broker.state().reason);
    ports.db.onStateChange(({ up, reason }) => tell("database", up, "down", reason));
    broker.onStateChange(({ up, reason }) => tell("broker", up, "degraded", reason));
    const postals = loaded.warnings.find(({ part }) => part === "postals");
    health.report("postals", postals ? "degraded" : "ok", postals ? `${postals.path} ${postals.what}` : null);
  }

  const { storage } = config;
  const storageWatch = createStorageWatch({
    ...ports,
    log: ports.logs.subsystem("files"),
    announced: loaded.warnings.some(({ part }) => part === "storage"),
    place: storage.type === "filesystem" ? storage.filesystem.path : `${storage.objectstore.endpoint}`,
  });

  /** Refuses the start only where the operator asked for the check. */
  async function watchStorage(): Promise<void> {
    const required = storage.type === "objectstore" && storage.objectstore.checkOnStartup && !config.ignoreRequirements;
    const watching = storageWatch.start(required);
    if (required) await watching;
  }

  async function prepareDatabase(): Promise<void> {
    await db.ping();
    const { skipMigrations } = config.database;
    if (skipMigrations) await migrator.assertCurrent();
    const applied = skipMigrations ? [] : await migrator.migrate();
    parts.openDatabase();
    if (applied.length > 0) await noteMigrations(ports.db, audit, { kind: "system", name: "start" }, applied);
    await assembly.start();
  }

  const timerRunner = createTimerRunner({
    db,
    clock,
    log: ports.logs.subsystem("timers"),
    handlers: assembly.timers,
  });
  const jobRunner = createJobRunner({
    ...ports,
    log: ports.logs.subsystem("cron"),
    jobs: tracedJobs(assembly.jobs, ports.tracing),
    zone: config.database.dsn.zone,
    place: config.http.publicURL,
    ended: async (tx, job, outcome, message) =>
      await audit.record(tx, { kind: "system", name: job }, { action: job, result: "failed", info: { outcome, message } }),
  });

  async function beginWork(): Promise<void> {
    const generation = await ports.db.read("outbox.generation", generationOf);
    await broker.ensureStream(generation === null ? eventStream : { ...eventStream, generation });
    await hub.start();
    open.push(createListeners({ broker, log: ports.logs.subsystem("events"), listeners: assembly.listeners }));
    relay.start();
    if (!working) return;
    const reactions = createReactions({
      ...ports,
      db,
      broker,
      log: ports.logs.subsystem("events"),
      reactions: assembly.reactions,
    });
    open.push(reactions);
    await reactions.start();
    parts.timers.onSet(() => timerRunner.nudge());
    timerRunner.start();
    parts.schedule.onNudge(() => jobRunner.nudge());
    jobRunner.start();
  }

  /** Tries until it works; the process serves what it can meanwhile. */
  async function keepTrying(what: string, attempt: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await attempt();
        log.info({}, `${what} is there`);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, `${what} is not there: ${(error as Error).message}; trying again`);
      }
      await clock.sleep(retryMs, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  }

  type Ports = { readonly port: number | null; readonly adminPort: number | null };

  async function listenAll(): Promise<Ports> {
    const adminPort = config.http.adminListen === null ? null : await listen(admin, config.http.adminListen, "http.adminListen");
    const port = web === null ? null : await listen(web, config.http.listen, "http.listen");
    return { port, adminPort };
  }

  /** Listens before it works: a start that is refused for a taken port has begun no job. */
  async function bringUp(): Promise<Ports> {
    await prepareDatabase();
    const ports = await listenAll();
    await beginWork();
    return ports;
  }

  async function bringUpLater(): Promise<void> {
    try {
      await prepareDatabase();
    } catch (error) {
      log.warn({}, `ignoreRequirements: starting without the database (${(error as Error).message})`);
      await keepTrying("the database", prepareDatabase);
    }
    if (!broker.state().up)
      log.warn({}, `ignoreRequirements: starting without the broker (${broker.state().reason ?? "not connected"})`);
    await keepTrying("the broker", beginWork);
  }

  let complete: Promise<void> = Promise.resolve();

  async function start(): Promise<Ports> {
    watchParts();
    await watchStorage();
    if (config.ignoreRequirements) {
      complete = bringUpLater();
      complete.catch((error: unknown) => log.error({ err: error }, "start failed"));
      return await listenAll();
    }
    const up = bringUp();
    complete = up.then(() => undefined);
    complete.catch(() => undefined);
    return await up;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    storageWatch.close();
    await hub.close().catch(() => undefined);
    await web?.close();
    await jobRunner.close();
    await timerRunner.stop();
    await Promise.allSettled(open.map((one) => one.close()));
    await relay.close();
    await assembly.stop();
    await admin.close();
    await ports.storage.close();
    await broker.close();
    await db.close();
    parts.release();
    await parts.tracing.close();
    await parts.logs.close();
  }

  return {
    assembly,
    parts,
    hub,
    web,
    start,
    stop,
    get complete() {
      return complete;
    },
  };
}

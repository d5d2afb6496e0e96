import type { FastifyInstance } from "fastify";
import type { LoadedConfig } from "#config/index.ts";
import type { Assembly } from "#core/assemble.ts";
import type { DatabaseState, Subscription } from "#core/ports/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { schedulerApi } from "#features/scheduler/scheduler.api.ts";
import { createStorageWatch } from "#infra/files/watch.ts";
import { listen } from "#infra/http/listen.ts";
import { Membership, otherZone, rememberZone } from "#infra/installation/index.ts";
import { createReactions, eventStream, generationOf, retriedReactions } from "#infra/outbox/index.ts";
import type { RealtimeHub } from "#infra/realtime/hub.ts";
import { ScheduleRunner } from "#infra/schedules/index.ts";
import { shareDue, TaskRunner } from "#infra/tasks/index.ts";
import { tracedSchedules } from "#infra/telemetry/traced.ts";
import type { Container } from "./container.ts";
import { assertColumns } from "./custom-columns.ts";
import { auditMigrations } from "./migration-audit.ts";
import { logUnreadable } from "./unreadable-secrets.ts";

/** A role of a process; one process may have several. */
export type Role = "web" | "worker" | "bot";

/** Ports that the process listens on; null where it does not. */
export interface ListenPorts {
  readonly port: number | null;
  readonly adminPort: number | null;
}

/** A composed program: starts, returns its ports, drains and stops. */
export interface RunningProcess {
  readonly assembly: Assembly;
  readonly container: Container;
  readonly hub: RealtimeHub;
  readonly web: FastifyInstance | null;
  /** Resolves when it serves. Throws `DatabaseUnavailable`, `MigrationRefused` and `ListenRefused`, each one line for the operator. */
  start(): Promise<ListenPorts>;
  /** Resolves once everything that depends on database or broker has started. */
  readonly complete: Promise<void>;
  /** Finishes running requests, tells live clients to reconnect elsewhere, and closes everything. */
  stop(): Promise<void>;
}

export interface LifecycleOptions {
  readonly loaded: LoadedConfig;
  readonly roles: readonly Role[];
  readonly container: Container;
  readonly assembly: Assembly;
  readonly hub: RealtimeHub;
  readonly web: FastifyInstance | null;
  readonly admin: FastifyInstance;
}

const retryMs = 2000;

/** What runs besides requests; `ServerProcess` starts and stops it. */
function createRunners({ loaded: { config, warnings }, roles, container, assembly }: LifecycleOptions) {
  const { ports } = container;
  const log = (name: string) => ports.logs.subsystem(name);
  const audit = assembly.api(auditApi);
  const { storage } = config;
  const schedules = new ScheduleRunner({
    ...ports,
    log: log("cron"),
    schedules: tracedSchedules(assembly.schedules, ports.tracing),
    zone: config.database.dsn.zone,
    jitterSeed: config.http.publicURL,
    ended: async (tx, run) => {
      const { schedule: id, outcome, message } = run;
      await assembly.api(schedulerApi).recordRun(tx, run);
      if (outcome !== "failed" && outcome !== "lost") return;
      await audit.record(tx, { kind: "system", name: id }, { action: id, result: "failed", info: { outcome, message } });
    },
  });
  return {
    storageWatch: createStorageWatch({
      ...ports,
      owned: assembly.api(filesApi).own.owns,
      log: log("files"),
      announced: warnings.some(({ part }) => part === "storage"),
      location: storage.type === "filesystem" ? storage.filesystem.path : `${storage.objectstore.endpoint}`,
    }),
    schedules,
    tasks: new TaskRunner({
      ...ports,
      db: container.db,
      log: log("tasks"),
      roles: roles.filter((role) => role !== "web"),
      handlers: [...assembly.tasks, ...schedules.handlers, retriedReactions(container.db, assembly.reactions)],
    }),
    membership: new Membership({
      ...container,
      ...ports,
      log: log("start"),
      dsn: config.database.dsn,
      url: config.nats.url,
      replicas: config.nats.replicas,
      reactions: assembly.reactions,
    }),
  };
}

/** Starts and stops one server process. */
export class ServerProcess implements RunningProcess {
  readonly assembly: Assembly;
  readonly container: Container;
  readonly hub: RealtimeHub;
  readonly web: FastifyInstance | null;
  readonly #options: LifecycleOptions;
  readonly #runners: ReturnType<typeof createRunners>;
  readonly #stopping = new AbortController();
  readonly #subscriptions: Subscription[] = [];
  #complete: Promise<void> = Promise.resolve();

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.assembly = options.assembly;
    this.container = options.container;
    this.hub = options.hub;
    this.web = options.web;
    this.#runners = createRunners(options);
  }

  get complete(): Promise<void> {
    return this.#complete;
  }

  get #config() {
    return this.#options.loaded.config;
  }

  get #log() {
    return this.container.ports.logs.subsystem("start");
  }

  async start(): Promise<ListenPorts> {
    this.#reportHealth();
    this.container.ports.health.report("server", "down", "starting");
    if (this.#config.ignoreRequirements) {
      await this.#watchStorage();
      this.#complete = this.#bringUpLater();
      this.#complete.catch((error: unknown) => this.#log.error({ err: error }, "start failed"));
      return await this.#listen();
    }
    // In parallel, so that the waits for two slow services do not add up.
    await Promise.all([this.#watchStorage(), this.container.db.ping()]);
    const up = this.#bringUp();
    this.#complete = up.then(() => undefined);
    this.#complete.catch(() => undefined);
    return await up;
  }

  async stop(): Promise<void> {
    const { container, assembly, hub, web } = this;
    // Before the port closes, so that a proxy that asks sends nobody here.
    container.ports.health.report("server", "down", "stopping");
    const { storageWatch, schedules, tasks, membership } = this.#runners;
    this.#stopping.abort();
    storageWatch.close();
    await hub.close().catch(() => undefined);
    await web?.close();
    await schedules.close();
    await tasks.close();
    await Promise.allSettled(this.#subscriptions.map((one) => one.close()));
    await container.relay.close();
    await membership.close();
    await assembly.stop();
    await this.#options.admin.close();
    await container.close();
  }

  #reportHealth(): void {
    const { broker, ports } = this.container;
    const { health, db } = ports;
    const report = (part: string, { up, reason }: { up: boolean; reason: string | null }, down: "down" | "degraded") =>
      health.report(part, up ? "ok" : down, reason);
    // While the disk is full people can read everything; no other process of this database could do more.
    const ofDatabase = (state: DatabaseState) => report("database", state, state.full === true ? "degraded" : "down");
    ofDatabase(db.state());
    report("broker", broker.state(), "degraded");
    db.onStateChange(ofDatabase);
    broker.onStateChange((state) => report("broker", state, "degraded"));
    const postals = this.#options.loaded.warnings.find(({ part }) => part === "postals");
    if (postals) health.report("postals", "degraded", `${postals.path} ${postals.what}`);
  }

  /** Refuses the start only where the operator enabled the check. */
  async #watchStorage(): Promise<void> {
    const { storage, ignoreRequirements } = this.#config;
    const required = storage.type === "objectstore" && storage.objectstore.checkOnStartup && !ignoreRequirements;
    const watching = this.#runners.storageWatch.start(required);
    if (required) await watching;
  }

  async #prepareDatabase(): Promise<void> {
    const { assembly, container } = this;
    const { db, migrator, ports } = container;
    await db.ping();
    const { skipMigrations } = this.#config.database;
    if (skipMigrations) await migrator.assertCurrent();
    const applied = skipMigrations ? [] : await migrator.migrate();
    await assertColumns(db, this.#config);
    container.openGate();
    const audit = assembly.api(auditApi);
    if (applied.length > 0) await auditMigrations(ports.db, audit, { kind: "system", name: "start" }, applied);
    await this.#compareZone();
    await assembly.start();
    await logUnreadable(ports.db, assembly.registry.parts("sealed"), ports.vault, this.#log);
  }

  async #compareZone(): Promise<void> {
    const { zone } = this.#config.database.dsn;
    const counted = await this.container.ports.db.write("start.zone", async (tx) => await rememberZone(tx, zone));
    if (counted !== zone) this.#log.warn({}, otherZone(counted, zone));
  }

  #reportReady(): void {
    if (!this.#stopping.signal.aborted) this.container.ports.health.report("server", "ok", null);
  }

  async #beginWork(): Promise<void> {
    const { assembly, container } = this;
    const { broker, ports, relay } = container;
    const log = ports.logs.subsystem("events");
    const generation = await ports.db.read("outbox.generation", generationOf);
    await broker.ensureStream(generation === null ? eventStream : { ...eventStream, generation });
    await this.hub.start();
    this.#subscriptions.push(ports.listeners.subscribe(broker));
    this.#runners.membership.watch();
    relay.start();
    const { tasks, schedules } = this.#runners;
    this.#subscriptions.push(shareDue({ broker, tasks: ports.tasks, runner: tasks, log: ports.logs.subsystem("tasks") }));
    tasks.start();
    if (!this.#options.roles.includes("worker")) return;
    const reactions = createReactions({ ...ports, db: container.db, broker, log, reactions: assembly.reactions });
    this.#subscriptions.push(reactions);
    await reactions.start();
    schedules.start();
  }

  async #listen(): Promise<ListenPorts> {
    const { http } = this.#config;
    const { admin, web } = this.#options;
    const adminPort = http.adminListen === null ? null : await listen(admin, http.adminListen, "http.adminListen");
    const port = web === null ? null : await listen(web, http.listen, "http.listen");
    return { port, adminPort };
  }

  /**
   * Listens before it changes anything, so that a start that fails on a used port has migrated nothing and run no
   * schedule. Until it is ready, `/readyz` says so, and calls that need the database are refused as in an outage.
   */
  async #bringUp(): Promise<ListenPorts> {
    const ports = await this.#listen();
    await this.#prepareDatabase();
    await this.#runners.membership.join({ patient: true });
    await this.#beginWork();
    this.#reportReady();
    return ports;
  }

  async #joinAndBegin(): Promise<void> {
    await this.#runners.membership.join();
    await this.#beginWork();
  }

  async #bringUpLater(): Promise<void> {
    try {
      await this.#prepareDatabase();
    } catch (error) {
      this.#log.warn({}, `ignoreRequirements: starting without the database (${(error as Error).message})`);
      await this.#keepTrying("the database", async () => await this.#prepareDatabase());
    }
    this.#reportReady();
    try {
      await this.#joinAndBegin();
    } catch (error) {
      this.#log.warn({}, `ignoreRequirements: starting without the broker (${(error as Error).message})`);
      await this.#keepTrying("the broker", async () => await this.#joinAndBegin());
    }
  }

  /** Retries until it succeeds; the process serves what it can meanwhile. */
  async #keepTrying(what: string, attempt: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        await attempt();
        this.#log.info({}, `${what} is available`);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#log.warn({ err: error }, `${what} is unavailable: ${(error as Error).message}; retrying`);
      }
      await this.container.ports.clock.sleep(retryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

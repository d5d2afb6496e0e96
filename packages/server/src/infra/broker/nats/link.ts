import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection, nuid } from "@nats-io/transport-node";
import { assertOutsideUnitOfWork } from "#core/db/index.ts";
import { BrokerUnavailable } from "#core/ports/index.ts";
import type { BrokerUrl } from "#core/dsn.ts";
import { Namespace } from "../namespace.ts";
import { type BrokerInput, type BrokerTuning, defaultTuning } from "../options.ts";
import { StateHolder } from "../state.ts";
import { checkName } from "../subjects.ts";
import { connectLine, isNoResponder, isStreamMissing, isTooFewServers, translate } from "./errors.ts";
import { greetingFirst } from "./greeting.ts";

export type NatsInput = BrokerInput<Extract<BrokerUrl, { kind: "nats" }>>;

/** A usable connection; `generation` grows with every reconnect. */
export interface Connected {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly generation: number;
}

/** The connection to the servers: reconnects without limit, and fails fast while it is down. */
export class NatsLink {
  readonly input: NatsInput;
  readonly tuning: BrokerTuning;
  readonly state: StateHolder;
  readonly #namespace: Namespace;
  readonly #unlisten: () => void;
  /** Creates streams and buckets again, by name: after a reconnect and when one is missing. */
  readonly #definitions = new Map<string, (connected: Connected) => Promise<void>>();
  readonly #attached: Array<(nc: NatsConnection) => void> = [];
  readonly #pending = new Set<(error: Error) => void>();
  readonly #closing = new AbortController();
  #connected: Connected | null = null;
  #live: Omit<Connected, "generation"> | null = null;
  /** The connection that has all subscriptions, with the current names. */
  #attachedTo: NatsConnection | null = null;
  #generation = 0;
  #repair: Promise<void> | null = null;

  constructor(input: NatsInput) {
    this.input = input;
    this.tuning = { ...defaultTuning, ...input.tuning };
    this.#namespace = input.namespace ?? new Namespace();
    this.#unlisten = this.#namespace.onChange(() => this.#renamed());
    this.state = new StateHolder(input.clock, input.log, { up: false, reason: "connecting" });
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** The subject or pattern with this installation's prefix. */
  subject(own: string): string {
    return `${this.#prefix()}.${own}`;
  }

  /** The subject without this installation's prefix. */
  ownSubject(subject: string): string {
    const prefix = `${this.#namespace.current}.`;
    return subject.startsWith(prefix) ? subject.slice(prefix.length) : subject;
  }

  /** The name of a stream, consumer or bucket with this installation's prefix. */
  named(own: string): string {
    return `${this.#prefix().replaceAll(".", "_")}_${checkName(own)}`;
  }

  #prefix(): string {
    if (this.#namespace.current !== null) return this.#namespace.current;
    throw new BrokerUnavailable(`nats.url: ${this.#namespace.reason}`);
  }

  async start(): Promise<void> {
    if (this.input.start === "background") {
      void this.#connectWithRetries();
      return;
    }
    await this.#connectOnce();
  }

  /** Calls `use` now if connected, and for each new connection object. */
  attach(use: (nc: NatsConnection) => void): void {
    this.#attached.push(use);
    if (this.#attachedTo) use(this.#attachedTo);
  }

  /** Applies a definition now and remembers it; fails with `BrokerUnavailable` while down, but is then applied later. */
  async define(name: string, apply: (connected: Connected) => Promise<void>): Promise<void> {
    this.#definitions.set(name, apply);
    await this.call(apply);
  }

  connected(): Connected {
    if (this.#connected) return this.#connected;
    throw new BrokerUnavailable(`the broker is down: ${this.state.current.reason}`);
  }

  whenUp(signal: AbortSignal): Promise<Connected> {
    if (this.#connected) return Promise.resolve(this.#connected);
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const done = () => {
        stop();
        signal.removeEventListener("abort", aborted);
      };
      const aborted = () => {
        done();
        reject(signal.reason as Error);
      };
      const stop = this.state.listen(() => {
        if (!this.#connected) return;
        done();
        resolve(this.#connected);
      });
      signal.addEventListener("abort", aborted);
    });
  }

  /** Runs one operation: with a time limit, ended by a lost connection, repeated once after a missing stream was restored. */
  async call<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    assertOutsideUnitOfWork("use the broker");
    try {
      return await this.#bounded(work);
    } catch (error) {
      if (!this.#connected || !(isStreamMissing(error) || isNoResponder(error))) throw translate(error);
    }
    await this.#redefine();
    try {
      return await this.#bounded(work);
    } catch (error) {
      throw translate(error);
    }
  }

  async #bounded<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    const connected = this.connected();
    const { promise: ended, reject } = Promise.withResolvers<never>();
    this.#pending.add(reject);
    const limit = this.input.clock.setTimeout(
      () => reject(new BrokerUnavailable("the broker did not answer in time")),
      this.tuning.requestTimeoutMs * 2,
    );
    try {
      return await Promise.race([work(connected), ended]);
    } finally {
      limit.cancel();
      this.#pending.delete(reject);
    }
  }

  #redefine(): Promise<void> {
    this.#repair ??= (async () => {
      for (const [name, apply] of this.#definitions) {
        try {
          await this.#bounded(apply);
        } catch (error) {
          this.input.log.warn({ err: error, name }, "broker definition could not be restored");
        }
      }
    })().finally(() => (this.#repair = null));
    return this.#repair;
  }

  async #connectWithRetries(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#connectOnce();
        return;
      } catch (error) {
        this.state.set(false, (error as Error).message);
      }
      await this.input.clock.sleep(this.tuning.reconnectMs, this.#closing.signal).catch(() => {});
    }
  }

  async #connectOnce(): Promise<void> {
    const { url, replicas } = this.input;
    let nc: NatsConnection | null = null;
    try {
      nc = await this.#dial();
      const jsm = await jetstreamManager(nc, { timeout: this.tuning.requestTimeoutMs });
      if (replicas > 1) await this.#probeReplicas(jsm);
      if (this.#closing.signal.aborted) throw new BrokerUnavailable("the broker connection was closed");
      this.#live = { nc, jsm, js: jetstream(nc, { timeout: this.tuning.requestTimeoutMs }) };
    } catch (error) {
      await nc?.close();
      throw new BrokerUnavailable(connectLine(error, url.servers), { cause: error });
    }
    void this.#follow(nc);
    this.#up();
  }

  async #dial(): Promise<NatsConnection> {
    const { clock, url } = this.input;
    const limitMs = this.tuning.requestTimeoutMs;
    const dialing = connect(this.#options(await greetingFirst(url.servers, clock, limitMs)));
    const { promise: late, reject } = Promise.withResolvers<never>();
    const limit = clock.setTimeout(() => {
      reject(new Error(`no answer within ${limitMs / 1000} s`));
      dialing.then(
        async (nc) => await nc.close(),
        () => undefined,
      );
    }, limitMs);
    try {
      return await Promise.race([dialing, late]);
    } finally {
      limit.cancel();
    }
  }

  #options(servers: readonly string[]) {
    const { url } = this.input;
    return {
      servers: [...servers],
      noRandomize: true,
      ...(url.user === null ? {} : { user: url.user, pass: url.password ?? "" }),
      ...(url.token === null ? {} : { token: url.token }),
      ...(url.tls ? { tls: {} } : {}),
      name: "rollcall",
      timeout: this.tuning.requestTimeoutMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: this.tuning.reconnectMs,
      reconnectJitter: Math.ceil(this.tuning.reconnectMs / 5),
      pingInterval: 10_000,
      maxPingOut: 2,
    };
  }

  async #probeReplicas(jsm: JetStreamManager): Promise<void> {
    const name = `rollcall_REPLICAS_${nuid.next()}`;
    const { replicas } = this.input;
    try {
      await jsm.streams.add({ name, subjects: [`${name}.probe`], num_replicas: replicas, storage: "memory" });
      await jsm.streams.delete(name);
    } catch (error) {
      if (isTooFewServers(error)) throw tooFewServers(replicas, error);
      throw error;
    }
  }

  #up(): void {
    if (!this.#live) return;
    if (this.#namespace.current === null) {
      this.state.setReason(`nats.url: ${this.#namespace.reason}`);
      return;
    }
    if (this.#attachedTo === null) {
      this.#attachedTo = this.#live.nc;
      for (const use of this.#attached) use(this.#live.nc);
    }
    this.#connected = { ...this.#live, generation: ++this.#generation };
    void this.#redefine();
    this.state.set(true, null);
  }

  /** The namespace changed: opens a new connection, as after an outage, so that no earlier name stays in use. */
  #renamed(): void {
    const nc = this.#attachedTo;
    if (!nc) return this.#up();
    this.#live = null;
    this.#attachedTo = null;
    this.#down("nats.url: reconnecting, because the installation's id changed");
    void nc.close();
  }

  #down(reason: string): void {
    this.#connected = null;
    for (const reject of [...this.#pending]) reject(new BrokerUnavailable(reason));
    this.state.set(false, reason);
  }

  async #follow(nc: NatsConnection): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === "disconnect") this.#down(`nats.url: lost the connection to ${status.server}`);
      else if (status.type === "reconnect") this.#up();
      else if (status.type === "error") this.input.log.warn({ err: status.error }, "broker server reported an error");
    }
    if (this.#closing.signal.aborted) return;
    this.#live = null;
    this.#attachedTo = null;
    this.#down("nats.url: the connection was closed");
    await this.#connectWithRetries();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new BrokerUnavailable("the broker was closed"));
    this.#unlisten();
    const nc = this.#live?.nc;
    if (this.#connected) await nc?.drain().catch(() => {});
    await nc?.close();
    this.#down("closed");
  }
}

export function tooFewServers(replicas: number, cause: unknown): BrokerUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BrokerUnavailable(
    `nats.replicas: ${replicas} copies need at least ${replicas} NATS servers in a JetStream cluster (${reason}); lower nats.replicas or add servers`,
    { cause },
  );
}

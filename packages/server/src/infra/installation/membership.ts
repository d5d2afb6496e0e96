import type { BrokerUrl, Dsn } from "#core/dsn.ts";
import { type Broker, BrokerUnavailable, type Clock, type Log } from "#core/ports/index.ts";
import { openBroker } from "../broker/index.ts";
import { Namespace } from "../broker/namespace.ts";
import { resendUnhandled } from "../outbox/resend.ts";
import { claim, type DatabaseLocation, namespaceOf, locationOf } from "./claim.ts";
import { ensureInstallation, type IdentityOptions, installationOf } from "./identity.ts";

export interface MembershipOptions extends IdentityOptions {
  readonly broker: Broker;
  readonly namespace: Namespace;
  readonly dsn: Dsn;
  readonly url: BrokerUrl;
  readonly replicas: number;
  readonly clock: Clock;
  readonly log: Log;
}

const pollMs = 2000;
/** A broker that is starting, or copying a stream to other servers, does not answer every request at once. */
const [claimLimitMs, claimRetryMs] = [9000, 250];

/** This process's use of a shared broker under the installation's id. Does nothing for the embedded broker. */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #place: DatabaseLocation;
  readonly #stop = new AbortController();
  #joined: string | null = null;
  #watching: Promise<void> | null = null;
  /** The last look failed, which was logged. */
  #isFailing = false;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#place = locationOf(options.dsn);
  }

  /**
   * Claims the installation's id on the broker and uses its names from then on. Throws `InstallationHeld`,
   * and `BrokerUnavailable` while the broker does not answer; with `patient` it retries for some seconds
   * before.
   */
  async join({ patient }: { readonly patient: boolean } = { patient: false }): Promise<void> {
    const { broker, namespace, log } = this.#options;
    const id = await ensureInstallation(this.#options);
    if (broker.kind === "embedded" || id === this.#joined) return;
    try {
      await (patient ? this.#claimWithRetries(id) : this.#claim(id));
    } catch (error) {
      this.#joined = null;
      namespace.leave((error as Error).message);
      throw error;
    }
    namespace.use(namespaceOf(id));
    this.#joined = id;
    log.info({ installation: id }, "using the broker under the id of this installation");
  }

  /** Follows changes of the id in the database, as by `rollcall installation new-id`. */
  watch(): void {
    if (this.#options.broker.kind !== "embedded") this.#watching ??= this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  /** Over a separate connection: readers of this process must not use names that may belong to another installation. */
  async #claim(id: string): Promise<void> {
    const { url, replicas, log, clock } = this.#options;
    const namespace = new Namespace(namespaceOf(id));
    const separate = await openBroker({ url, replicas, namespace, log, clock, start: "required" });
    try {
      await claim(separate, id, this.#place);
    } finally {
      await separate.close();
    }
  }

  async #claimWithRetries(id: string): Promise<void> {
    const done = new AbortController();
    const limit = this.#options.clock.sleep(claimLimitMs, AbortSignal.any([done.signal, this.#stop.signal]));
    try {
      await Promise.race([this.#retryClaim(id, done.signal), limit.then(() => Promise.reject(this.#unavailable()))]);
    } finally {
      done.abort();
      limit.catch(() => undefined);
    }
  }

  async #retryClaim(id: string, ended: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#claim(id);
        return;
      } catch (error) {
        if (!(error instanceof BrokerUnavailable) || ended.aborted) throw error;
      }
      await this.#options.clock.sleep(claimRetryMs, ended);
    }
  }

  #unavailable(): BrokerUnavailable {
    const { url, broker } = this.#options;
    const where = url.kind === "nats" ? url.servers.join(", ") : url.file;
    const { up, reason } = broker.state();
    const why = up ? "JetStream does not answer" : (reason ?? "not connected");
    return new BrokerUnavailable(`nats.url: ${where} cannot be used (${why}); see the log of the NATS server`);
  }

  /** Null when it is the one that this process uses, or cannot be read: the database says so where it is needed. */
  async #changedId(): Promise<string | null> {
    const id = await this.#options.db.read("installation.look", installationOf).catch(() => null);
    return id === this.#joined ? null : id;
  }

  async #follow(): Promise<void> {
    const { db, log, reactions } = this.#options;
    const id = await this.#changedId();
    if (id === null) return;
    log.info({ installation: id }, "the id of this installation changed");
    await this.join({ patient: true });
    // Events published under the former id since the change reached only processes that had not followed yet.
    await db.write("installation.again", async (tx) => await resendUnhandled(tx, reactions));
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    while (!this.#stop.signal.aborted) {
      await clock.sleep(pollMs, this.#stop.signal).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      try {
        await this.#follow();
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing)
          log.warn({ err: error }, "the id of this installation could not be applied on the broker; this is tried every 2 s");
        this.#isFailing = true;
      }
    }
  }
}

import type { Clock, Database, Metrics } from "#core/ports/index.ts";
import type { NamespaceUsage } from "./files.contract.ts";
import * as repo from "./files.repo.ts";

export interface MeasureDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** `storage.metricsEnabled`. */
  readonly enabled: boolean;
  /** `storage.metricsInterval`, milliseconds. */
  readonly everyMs: number;
}

/** Measures usage from the rows, without listing the storage. Only the process that measured last exposes it. */
export class UsageMeter {
  readonly #deps: MeasureDeps;
  #last: { readonly at: number; readonly usage: readonly NamespaceUsage[] } | null = null;

  constructor(deps: MeasureDeps) {
    this.#deps = deps;
    if (!deps.enabled) return;
    const { metrics } = deps;
    metrics.gauge("rollcall_storage_bytes", "Bytes of uploaded files", () => this.#samples(({ bytes }) => bytes), ["namespace"]);
    metrics.gauge("rollcall_storage_files", "Uploaded files", () => this.#samples(({ files }) => files), ["namespace"]);
  }

  async measure(): Promise<void> {
    const usage = await this.#deps.db.read("files.measure", async (tx) => await repo.usage(tx));
    this.#last = { at: this.#deps.clock.now(), usage };
  }

  /** None when the last measurement is too old, because another process measures now. */
  #samples(valueOf: (usage: NamespaceUsage) => number) {
    const { clock, everyMs } = this.#deps;
    if (this.#last === null || clock.now() - this.#last.at > 3 * everyMs + 60_000) return [];
    return this.#last.usage.map((one) => ({ labels: { namespace: one.namespace }, value: valueOf(one) }));
  }
}

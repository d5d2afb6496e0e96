import { isPermanent, isServerFault, type SyncError, toSyncError } from "./errors.ts";
import { type GamerequestsReceiptsBody, operations } from "./generated/types.ts";
import type { Journal, Receipt } from "./journal.ts";
import { backOff, Pauses, type RetryContext, type SourcePauses } from "./retry.ts";
import type { Transport } from "./transport.ts";

const receiptsAtOnce = operations["gamerequests.receipts"].maxItems;

export interface ReporterOptions {
  readonly transport: Transport;
  readonly context: RetryContext;
  readonly source: string;
  readonly taken: SourcePauses;
}

/** Reports what became of requests, beside the poll that waits for others and the handler that runs. */
export class Reporter {
  readonly #journal: Journal;
  readonly #options: ReporterOptions;
  readonly #pauses: Pauses;
  /** Receipts at which Rollcall failed, and when each is sent again, by the monotonic clock. */
  readonly #stuck = new Map<string, { readonly failures: number; readonly again: number }>();
  #rest: AbortController | null = null;
  #again = false;

  constructor(journal: Journal, options: ReporterOptions) {
    this.#journal = journal;
    this.#options = options;
    this.#pauses = new Pauses(options.context);
  }

  /** There is something to report. */
  wake(): void {
    this.#again = true;
    this.#rest?.abort();
  }

  /** Resolves once the signal is aborted. */
  async run(): Promise<void> {
    const { signal } = this.#options.context;
    signal.addEventListener("abort", () => this.#rest?.abort());
    while (!signal.aborted) {
      try {
        this.#again = false;
        await this.#report();
        this.#pauses.reset();
        await this.#untilDue();
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toSyncError(thrown);
        if (!(await this.#options.taken.refused(error))) await this.#pauses.failed(error);
      }
    }
  }

  /** Until the next receipt that waits may be sent again, or there is another one. */
  async #untilDue(): Promise<void> {
    const { timing, signal } = this.#options.context;
    if (this.#again || signal.aborted) return;
    const rest = new AbortController();
    this.#rest = rest;
    const due = Math.min(...[...this.#stuck.values()].map(({ again }) => again));
    if (due < Infinity) await timing.sleep(Math.max(0, due - timing.now()), rest.signal, true);
    else await new Promise((resolve) => rest.signal.addEventListener("abort", resolve));
    this.#rest = null;
  }

  async #report(): Promise<void> {
    const { context } = this.#options;
    const began = context.timing.now();
    for (;;) {
      const receipts = this.#journal.receipts(receiptsAtOnce, (id) => (this.#stuck.get(id)?.again ?? began) > began);
      if (receipts.length === 0 || context.signal.aborted) return;
      await this.#send(receipts);
    }
  }

  /** One that Rollcall cannot accept, now or ever, must not keep the others waiting. */
  async #send(receipts: readonly Receipt[]): Promise<void> {
    const { transport, source, context } = this.#options;
    const { method, path } = operations["gamerequests.receipts"];
    const body: GamerequestsReceiptsBody = { source, receipts: [...receipts] };
    try {
      await transport.call(method, path, JSON.stringify(body), { signal: context.signal });
    } catch (thrown) {
      const error = toSyncError(thrown);
      if (!isPermanent(error) && !isServerFault(error)) throw error;
      if (receipts.length > 1) {
        for (const one of receipts) await this.#send([one]);
        return;
      }
      const [only] = receipts;
      if (only && isServerFault(error)) return this.#putBack(only.id, error);
      if (only) context.emit({ type: "receiptDropped", id: only.id, error });
    }
    await this.#journal.acknowledge(receipts);
    for (const { id } of receipts) this.#stuck.delete(id);
  }

  #putBack(id: string, error: SyncError): void {
    const { context } = this.#options;
    const attempt = (this.#stuck.get(id)?.failures ?? 0) + 1;
    const delayMs = Math.max(1, backOff(attempt, error, context.retry, context.timing));
    this.#stuck.set(id, { failures: attempt, again: context.timing.now() + delayMs });
    context.emit({ type: "retry", attempt, delayMs, error });
  }
}

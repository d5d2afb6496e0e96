import { type Clock, type Health, type Log, type Storage, StorageUnavailable } from "#core/ports/index.ts";

/** The start was asked to check the store, which cannot be used. One line for the operator. */
export class StorageRefused extends Error {
  override name = "StorageRefused";
}

export interface StorageWatchOptions {
  readonly storage: Storage;
  readonly health: Health;
  readonly clock: Clock;
  readonly log: Log;
  /** The start has warned of it already: it is logged no second time. */
  readonly announced: boolean;
  /** Where it is, for the reason. */
  readonly place: string;
}

const [aliveMs, downMs] = [60_000, 5000];

export interface StorageWatch {
  /** Probes once; throws `StorageRefused` when `required` and it does not work. Goes on in the background. */
  start(required: boolean): Promise<void>;
  close(): void;
}

/** Tells whether uploads can be stored, by storing something every minute. */
export function createStorageWatch({ storage, health, clock, log, announced, place }: StorageWatchOptions): StorageWatch {
  let next: { cancel(): void } | null = null;
  let closed = false;
  let reason: string | null = null;
  let told = announced;

  async function look(): Promise<string | null> {
    try {
      await storage.probe();
      return null;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) log.error({ err: error }, "the storage could not be examined");
      return `${place}: ${(error as Error).message}`;
    }
  }

  function tell(found: string | null): void {
    if (found !== null && !told) log.warn({ reason: found }, `uploads do not work: ${found}`);
    if (found === null && reason !== null) log.info({}, "uploads work again");
    told = found !== null;
    reason = found;
    health.report("storage", found === null ? "ok" : "degraded", found);
  }

  async function round(): Promise<void> {
    const found = await look();
    if (closed) return;
    tell(found);
    next = clock.setTimeout(() => void round(), found === null ? aliveMs : downMs);
  }

  return {
    async start(required) {
      await round();
      if (required && reason !== null) throw new StorageRefused(`storage.objectstore.checkOnStartup: ${reason}`);
      void storage.clean().then(
        (removed) => removed > 0 && log.info({ removed }, "removed what killed uploads left behind"),
        () => undefined,
      );
    },
    close() {
      closed = true;
      next?.cancel();
    },
  };
}

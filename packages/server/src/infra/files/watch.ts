import { type Clock, type Health, type Log, type Storage, StorageUnavailable } from "#core/ports/index.ts";

/** The configuration requires a check at start, and the storage cannot be used. The message is one line for the operator. */
export class StorageRefused extends Error {
  override name = "StorageRefused";
}

export interface StorageWatchOptions {
  readonly storage: Storage;
  readonly owned: (key: string) => boolean;
  readonly health: Health;
  readonly clock: Clock;
  readonly log: Log;
  /** The start has already warned about the storage, so the first failure is not logged again. */
  readonly announced: boolean;
  /** Folder or endpoint, for the reason. */
  readonly location: string;
}

const [aliveMs, downMs, doubtMs] = [60_000, 5000, 250];

export interface StorageWatch {
  /** Probes once, then continues in the background. Throws `StorageRefused` if the probe fails and `required` is set. */
  start(required: boolean): Promise<void>;
  close(): void;
}

/** Reports whether uploads can be stored, by writing a test object every minute. */
export function createStorageWatch({
  storage,
  owned,
  health,
  clock,
  log,
  announced,
  location,
}: StorageWatchOptions): StorageWatch {
  let next: { cancel(): void } | null = null;
  /** The next round was brought forward. */
  let hurried = false;
  let closed = false;
  let reason: string | null = null;
  let logged = announced;

  async function probe(): Promise<string | null> {
    try {
      await storage.probe();
      return null;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) log.error({ err: error }, "the storage could not be probed");
      return `${location}: ${(error as Error).message}`;
    }
  }

  function report(found: string | null): void {
    if (found !== null && !logged) log.warn({ reason: found }, `uploads do not work: ${found}`);
    if (found === null && reason !== null) log.info({}, "uploads work again");
    logged = found !== null;
    reason = found;
    health.report("storage", found === null ? "ok" : "degraded", found);
  }

  async function round(): Promise<void> {
    const found = await probe();
    if (closed) return;
    report(found);
    after(found === null ? aliveMs : downMs);
  }

  function after(ms: number): void {
    next?.cancel();
    next = clock.setTimeout(() => {
      next = null;
      hurried = false;
      void round();
    }, ms);
  }

  function hurry(): void {
    // Nothing to bring forward while a round runs, or while one comes soon: many refused uploads must not put it off.
    if (next === null || reason !== null || hurried) return;
    hurried = true;
    after(doubtMs);
  }

  const stopListening = health.onDoubt("storage", hurry);

  return {
    async start(required) {
      await round();
      if (required && reason !== null)
        throw new StorageRefused(
          `storage.objectstore.checkOnStartup: ${reason}; correct storage.objectstore.endpoint and its related options, or set checkOnStartup to false`,
        );
      void storage.clean(owned).then(
        (removed) => removed > 0 && log.info({ removed }, "removed the leftovers of killed uploads"),
        () => undefined,
      );
    },
    close() {
      closed = true;
      stopListening();
      next?.cancel();
    },
  };
}

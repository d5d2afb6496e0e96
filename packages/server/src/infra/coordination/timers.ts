import { dialectOf, queries } from "#core/db/queries.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { Database, Tx } from "#core/ports/database.ts";
import type { TimerHandler, Timers } from "#core/ports/leases.ts";
import type { Log } from "#core/ports/log.ts";
import type { Row } from "#core/db/table.ts";
import type { InfrastructureTables, timers } from "#infra/db/infrastructure.schema.ts";

/** The port, with a callback for timers that were set, so that the runner of this process checks at once. */
export interface SqlTimers extends Timers {
  onSet(listener: () => void): void;
}

export function createTimers(): SqlTimers {
  const listeners: (() => void)[] = [];
  return {
    onSet: (listener) => void listeners.push(listener),
    async set(tx, { kind, key, dueAt, payload }) {
      const row = {
        kind,
        timer_key: key,
        due_at: dueAt,
        try_at: dueAt,
        attempts: 0,
        payload: JSON.stringify(payload ?? null),
      };
      const insert = queries<InfrastructureTables>(tx).insertInto("timers").values(row);
      await dialectOf(tx).upsert(insert, ["kind", "timer_key"], ["due_at", "try_at", "attempts", "payload"]).execute();
      tx.afterCommit(() => listeners.forEach((listener) => listener()));
    },
    async cancel(tx, kind, key) {
      await queries<InfrastructureTables>(tx)
        .deleteFrom("timers")
        .where("kind", "=", kind)
        .where("timer_key", "=", key)
        .execute();
    },
  };
}

export interface TimerRunnerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly handlers: readonly TimerHandler[];
  /** Longest time between two checks; 1 s by default. */
  readonly pollMs?: number;
}

export interface TimerRunner {
  start(): void;
  /** Checks now instead of at the next poll. */
  nudge(): void;
  /** Fires all due timers and returns how many. */
  runDue(): Promise<number>;
  /** Resolves once the timer that is firing is done. */
  stop(): Promise<void>;
}

type Due = Row<typeof timers>;

const maxRetryMs = 300_000;
const claimedRetryMs = 100;

function retryDelay(attempts: number): number {
  return Math.min(maxRetryMs, 1_000 * 2 ** attempts);
}

class SqlTimerRunner implements TimerRunner {
  readonly #options: TimerRunnerOptions;
  readonly #handlers: ReadonlyMap<string, TimerHandler>;
  readonly #pollMs: number;
  #wait: { cancel(): void } | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  #started = false;
  #failing = false;

  constructor(options: TimerRunnerOptions) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? 1_000;
    this.#handlers = new Map(options.handlers.map((handler) => [handler.kind, handler]));
    if (this.#handlers.size !== options.handlers.length) throw new Error("two timer handlers have the same kind");
  }

  start(): void {
    this.#started = true;
    this.nudge();
  }

  nudge(): void {
    if (!this.#started) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#wait?.cancel();
    this.#running = this.#check().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#started = false;
    this.#wait?.cancel();
    await this.#running;
  }

  async runDue(): Promise<number> {
    let fired = 0;
    while (this.#handlers.size > 0 && (await this.#nextInMs()) <= 0) {
      const result = await this.#fireOne();
      if (result === "fired") fired += 1;
      if (result === "claimed") break;
    }
    return fired;
  }

  async #check(): Promise<void> {
    let waitMs = this.#pollMs;
    do {
      this.#again = false;
      try {
        await this.runDue();
        const next = await this.#nextInMs();
        // A timer that is still due is being fired by another process, where it may fail.
        waitMs = Math.min(this.#pollMs, next > 0 ? next : claimedRetryMs);
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) this.#options.log.warn({ err: error }, "timers cannot be read; retrying");
        this.#failing = true;
      }
    } while (this.#again && this.#started);
    if (this.#started) this.#wait = this.#options.clock.setTimeout(() => this.nudge(), waitMs);
  }

  /** Milliseconds until the first timer of a known kind; infinite when there is none. */
  async #nextInMs(): Promise<number> {
    if (this.#handlers.size === 0) return Infinity;
    const { db } = this.#options;
    return await db.read("timers.next", async (tx) => {
      const { first } = await queries<InfrastructureTables>(tx)
        .selectFrom("timers")
        .select((eb) => eb.fn.min("try_at").as("first"))
        .where("kind", "in", [...this.#handlers.keys()])
        .executeTakeFirstOrThrow();
      return first === null ? Infinity : first - (await db.now(tx));
    });
  }

  /** `claimed`: the due timers are being fired by another process. */
  async #fireOne(): Promise<"fired" | "failed" | "claimed"> {
    const { db, log } = this.#options;
    const claimed: { due: Due | null } = { due: null };
    try {
      return await db.write("timers.fire", async (tx) => {
        claimed.due = null;
        const due = await this.#claim(tx);
        if (!due) return "claimed";
        claimed.due = due;
        const payload: unknown = JSON.parse(due.payload);
        await this.#handlers.get(due.kind)!.fire(tx, { key: due.timer_key, dueAt: due.due_at, payload });
        return "fired";
      });
    } catch (error) {
      if (!claimed.due) throw error;
      log.error(
        {
          kind: claimed.due.kind,
          key: claimed.due.timer_key,
          attempts: claimed.due.attempts + 1,
          err: error,
        },
        "a timer failed",
      );
      await this.#postpone(claimed.due);
      return "failed";
    }
  }

  /** Deletes the first due timer, which claims it until this transaction ends. */
  async #claim(tx: Tx): Promise<Due | null> {
    const now = await this.#options.db.now(tx);
    const q = queries<InfrastructureTables>(tx);
    const query = q
      .selectFrom("timers")
      .selectAll()
      .where("try_at", "<=", now)
      .where("kind", "in", [...this.#handlers.keys()])
      .orderBy("try_at")
      .limit(1);
    const due: Due | undefined = await dialectOf(tx).lock(query, { skipLocked: true }).executeTakeFirst();
    if (!due) return null;
    const deleted = await q
      .deleteFrom("timers")
      .where("kind", "=", due.kind)
      .where("timer_key", "=", due.timer_key)
      .where("due_at", "=", due.due_at)
      .where("try_at", "=", due.try_at)
      .executeTakeFirst();
    return deleted.numDeletedRows === 1n ? due : null;
  }

  async #postpone(due: Due): Promise<void> {
    const { db } = this.#options;
    await db.write("timers.postpone", async (tx) => {
      await queries<InfrastructureTables>(tx)
        .updateTable("timers")
        .set({ try_at: (await db.now(tx)) + retryDelay(due.attempts), attempts: due.attempts + 1 })
        .where("kind", "=", due.kind)
        .where("timer_key", "=", due.timer_key)
        .where("due_at", "=", due.due_at)
        .where("try_at", "=", due.try_at)
        .execute();
    });
  }
}

/**
 * Fires timers, each in the transaction of its effect. Any number of processes may run one: a timer
 * fires once. A handler that throws is retried after 1 s, 2 s, 4 s, ... at most 5 minutes.
 */
export function createTimerRunner(options: TimerRunnerOptions): TimerRunner {
  return new SqlTimerRunner(options);
}

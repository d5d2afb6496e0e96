import { bindable } from "../../failure.ts";
import type { SqlConnection, SqlResult, UnitMode } from "../../connection.ts";
import type { SqliteThread } from "./thread.ts";

/** A connection as one thread has it. */
interface Seat {
  readonly thread: SqliteThread;
  readonly id: number;
  forget(): void;
}

/**
 * One SQLite connection in a worker thread, or one in each of several: every transaction chooses its
 * thread, so that none waits for a busy one while another is free.
 */
export class SqliteConnection implements SqlConnection {
  readonly #pick: () => SqliteThread;
  readonly #seats = new Map<SqliteThread, Seat>();
  #seat: Seat;
  #usable = true;
  #lost: (() => void) | null = null;
  /** A snapshot begins with its first statement, which saves the way to the thread and back. */
  #mustBegin = false;

  /** `pick` names the thread of each transaction. */
  static async open(pick: () => SqliteThread): Promise<SqliteConnection> {
    const thread = pick();
    const id = thread.nextConnection();
    await thread.request({ op: "open", connection: id });
    return new SqliteConnection(pick, thread, id);
  }

  private constructor(pick: () => SqliteThread, thread: SqliteThread, id: number) {
    this.#pick = pick;
    this.#seat = this.#keep(thread, id);
  }

  get usable(): boolean {
    return this.#usable;
  }

  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  async execute(sql: string, params: readonly unknown[]): Promise<SqlResult> {
    const { thread, id } = this.#seat;
    const begin = this.#mustBegin;
    this.#mustBegin = false;
    return await thread.request({ op: "run", connection: id, begin, sql, params: params.map(bindable) });
  }

  suits(): boolean {
    return true;
  }

  async begin(mode: UnitMode): Promise<void> {
    const thread = this.#pick();
    this.#seat = this.#seats.get(thread) ?? (await this.#sit(thread));
    if (mode === "read") this.#mustBegin = true;
    else await this.execute("begin immediate", []);
  }

  async commit(): Promise<void> {
    await this.execute("commit", []);
  }

  async rollback(): Promise<void> {
    const begun = !this.#mustBegin;
    this.#mustBegin = false;
    if (this.#usable && begun) await this.execute("rollback", []);
  }

  async close(): Promise<void> {
    const seats = [...this.#seats.values()];
    for (const { forget } of seats) forget();
    if (!this.#usable) return;
    this.#usable = false;
    await Promise.all(seats.map(({ thread, id }) => thread.request({ op: "close", connection: id })));
  }

  async #sit(thread: SqliteThread): Promise<Seat> {
    const id = thread.nextConnection();
    await thread.request({ op: "open", connection: id });
    return this.#keep(thread, id);
  }

  #keep(thread: SqliteThread, id: number): Seat {
    const stop = thread.onLost(() => {
      seat.forget();
      if (this.#seat !== seat) return;
      this.#usable = false;
      this.#lost?.();
    });
    const seat: Seat = {
      thread,
      id,
      forget: () => {
        stop();
        this.#seats.delete(thread);
      },
    };
    this.#seats.set(thread, seat);
    return seat;
  }
}

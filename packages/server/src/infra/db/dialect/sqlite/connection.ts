import { bindable } from "../../failure.ts";
import type { Called, SqlConnection, SqlResult, UnitMode } from "../../connection.ts";
import type { SqliteThread } from "./thread.ts";

/** A connection within one thread. */
interface ThreadConnection {
  readonly thread: SqliteThread;
  readonly id: number;
  forget(): void;
}

/**
 * One SQLite connection in a worker thread, or in each of several: the thread is chosen per transaction, so
 * that none waits for a busy thread while another is free.
 */
export class SqliteConnection implements SqlConnection {
  readonly #pick: () => SqliteThread;
  readonly #byThread = new Map<SqliteThread, ThreadConnection>();
  #current: ThreadConnection;
  #usable = true;
  #lost: (() => void) | null = null;
  /** A snapshot begins with its first statement, which saves a round trip to the thread. */
  #mustBegin = false;

  /** `pick` chooses the thread of each transaction. */
  static async open(pick: () => SqliteThread): Promise<SqliteConnection> {
    const thread = pick();
    const id = thread.nextConnection();
    await thread.request({ op: "open", connection: id });
    return new SqliteConnection(pick, thread, id);
  }

  private constructor(pick: () => SqliteThread, thread: SqliteThread, id: number) {
    this.#pick = pick;
    this.#current = this.#remember(thread, id);
  }

  get usable(): boolean {
    return this.#usable;
  }

  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  async execute(sql: string, params: readonly unknown[]): Promise<SqlResult> {
    const { thread, id } = this.#current;
    return await thread.request({ op: "run", connection: id, begin: this.#begins(), sql, params: params.map(bindable) });
  }

  async call(procedure: string, input: unknown): Promise<Called> {
    const { thread, id } = this.#current;
    const answer = await thread.request({ op: "call", connection: id, begin: this.#begins(), procedure, input });
    return answer.called!;
  }

  suits(): boolean {
    return true;
  }

  async begin(mode: UnitMode): Promise<void> {
    const thread = this.#pick();
    this.#current = this.#byThread.get(thread) ?? (await this.#openOn(thread));
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
    const opened = [...this.#byThread.values()];
    for (const { forget } of opened) forget();
    if (!this.#usable) return;
    this.#usable = false;
    await Promise.all(opened.map(({ thread, id }) => thread.request({ op: "close", connection: id })));
  }

  #begins(): boolean {
    const begins = this.#mustBegin;
    this.#mustBegin = false;
    return begins;
  }

  async #openOn(thread: SqliteThread): Promise<ThreadConnection> {
    const id = thread.nextConnection();
    await thread.request({ op: "open", connection: id });
    return this.#remember(thread, id);
  }

  #remember(thread: SqliteThread, id: number): ThreadConnection {
    const stop = thread.onLost(() => {
      entry.forget();
      if (this.#current !== entry) return;
      this.#usable = false;
      this.#lost?.();
    });
    const entry: ThreadConnection = {
      thread,
      id,
      forget: () => {
        stop();
        this.#byThread.delete(thread);
      },
    };
    this.#byThread.set(thread, entry);
    return entry;
  }
}

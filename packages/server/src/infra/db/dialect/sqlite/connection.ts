import { bindable } from "../../failure.ts";
import type { SqlConnection, SqlResult, UnitMode } from "../../connection.ts";
import type { SqliteThread } from "./thread.ts";

/** One SQLite connection in a worker thread. */
export class SqliteConnection implements SqlConnection {
  readonly #thread: SqliteThread;
  readonly #id: number;
  readonly #forget: () => void;
  #usable = true;
  #lost: (() => void) | null = null;

  static async open(thread: SqliteThread): Promise<SqliteConnection> {
    const id = thread.nextConnection();
    await thread.request({ op: "open", connection: id });
    return new SqliteConnection(thread, id);
  }

  private constructor(thread: SqliteThread, id: number) {
    this.#thread = thread;
    this.#id = id;
    this.#forget = thread.onLost(() => {
      this.#usable = false;
      this.#forget();
      this.#lost?.();
    });
  }

  get usable(): boolean {
    return this.#usable;
  }

  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  async execute(sql: string, params: readonly unknown[]): Promise<SqlResult> {
    return await this.#thread.request({ op: "run", connection: this.#id, sql, params: params.map(bindable) });
  }

  suits(): boolean {
    return true;
  }

  async begin(mode: UnitMode): Promise<void> {
    await this.execute(mode === "write" ? "begin immediate" : "begin", []);
  }

  async commit(): Promise<void> {
    await this.execute("commit", []);
  }

  async rollback(): Promise<void> {
    if (this.#usable) await this.execute("rollback", []);
  }

  async close(): Promise<void> {
    this.#forget();
    if (!this.#usable) return;
    this.#usable = false;
    await this.#thread.request({ op: "close", connection: this.#id });
  }
}

import type { Clock } from "./ports/clock.ts";

export interface WriteBehindDeps<K, V> {
  readonly clock: Pick<Clock, "setTimeout">;
  /** What waits is written this long after the first of it. Milliseconds. */
  readonly everyMs: number;
  write(values: ReadonlyMap<K, V>): Promise<void>;
  /** The write was refused; its values are written with the next. */
  failed(error: unknown, count: number): void;
}

/** Latest values by key that reach the database together; one write at a time, and none is lost when one fails. */
export class WriteBehind<K, V> {
  readonly #deps: WriteBehindDeps<K, V>;
  #waiting = new Map<K, V>();
  #timer: { cancel(): void } | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: WriteBehindDeps<K, V>) {
    this.#deps = deps;
  }

  put(key: K, value: V): void {
    this.#waiting.set(key, value);
    this.#plan();
  }

  /** Writes what waits, after a write that runs. Does not throw. */
  async flush(): Promise<void> {
    this.#running = this.#running.then(async () => await this.#write());
    await this.#running;
  }

  /** The last write; what is put afterwards is not written by itself. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.flush();
  }

  #plan(): void {
    if (!this.#stopped) this.#timer ??= this.#deps.clock.setTimeout(() => void this.flush(), this.#deps.everyMs);
  }

  async #write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const values = this.#waiting;
    if (values.size === 0) return;
    this.#waiting = new Map();
    try {
      await this.#deps.write(values);
    } catch (error) {
      this.#deps.failed(error, values.size);
      this.#waiting = new Map([...values, ...this.#waiting]);
      this.#plan();
    }
  }
}

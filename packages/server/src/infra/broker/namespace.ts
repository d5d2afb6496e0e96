/**
 * The prefix of a process on a shared server, such as `rollcall.<id>`: in front of every subject, and
 * joined by underscores in front of streams, consumers and buckets. It is unknown until it was read from
 * the database, and changes when the installation gets another id.
 */
export class Namespace {
  readonly #listeners = new Set<() => void>();
  #current: string | null;
  #reason = "waiting for the installation's id from the database";

  constructor(current: string | null = null) {
    this.#current = current;
  }

  get current(): string | null {
    return this.#current;
  }

  /** Why there is no namespace. */
  get reason(): string {
    return this.#reason;
  }

  use(current: string): void {
    if (this.#current === current) return;
    this.#current = current;
    this.#notify();
  }

  /** The server must not be used until the next `use`. */
  leave(reason: string): void {
    this.#current = null;
    this.#reason = reason;
    this.#notify();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

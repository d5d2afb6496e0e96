/** A value of a state topic; null data means that it was removed. */
export interface StateChange {
  readonly data: unknown;
  /** When it was published, milliseconds UTC. */
  readonly at: number;
  /** Published by this process, which repeats it to processes that start. */
  readonly own: boolean;
}

/** The values of one state topic in the memory of this process, and which were removed lately. */
export class StateValues {
  readonly #maxAgeMs: number;
  readonly #present = new Map<string, StateChange>();
  /** Kept until every older value is too old: one may still arrive from the bucket or another process. */
  readonly #removed = new Map<string, StateChange>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  get present(): ReadonlyMap<string, StateChange> {
    return this.#present;
  }

  /** Values and removals. */
  get all(): ReadonlyArray<readonly [key: string, change: StateChange]> {
    return [...this.#present, ...this.#removed];
  }

  /** Takes a change as the latest one, whatever its time: clocks of processes differ. */
  set(key: string, change: StateChange): void {
    const removal = change.data === null || change.data === undefined;
    (removal ? this.#present : this.#removed).delete(key);
    (removal ? this.#removed : this.#present).set(key, change);
  }

  /** Whether a change that was published at this time, and arrives out of turn, is newer than what is known. */
  isNews(key: string, at: number, now: number): boolean {
    const known = this.#present.get(key) ?? this.#removed.get(key);
    return !this.#isOld(at, now) && (known === undefined || known.at < at);
  }

  /** Removes what is too old; returns the values among it by key. */
  forget(now: number): (readonly [key: string, data: unknown])[] {
    for (const [key, { at }] of this.#removed) if (this.#isOld(at, now)) this.#removed.delete(key);
    const old = [...this.#present].filter(([, { at }]) => this.#isOld(at, now));
    for (const [key] of old) this.#present.delete(key);
    return old.map(([key, { data }]) => [key, data]);
  }

  /** When the oldest of them was published; null when there is nothing. */
  get oldest(): number | null {
    return this.all.reduce<number | null>((oldest, [, { at }]) => (oldest === null || at < oldest ? at : oldest), null);
  }

  #isOld(at: number, now: number): boolean {
    return now - at >= this.#maxAgeMs;
  }
}

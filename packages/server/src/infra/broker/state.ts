import type { BrokerState, Clock, Log } from "#core/ports/index.ts";

/** A broker's state with listeners for changes. */
export class StateHolder {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<(state: BrokerState) => void>();
  #state: BrokerState;

  constructor(clock: Clock, log: Log, initial: { up: boolean; reason: string | null }) {
    this.#clock = clock;
    this.#log = log;
    this.#state = { ...initial, since: clock.now() };
  }

  get current(): BrokerState {
    return this.#state;
  }

  set(up: boolean, reason: string | null): void {
    if (this.#state.up === up && this.#state.reason === reason) return;
    const since = this.#state.up === up ? this.#state.since : this.#clock.now();
    this.#state = { up, reason, since };
    if (up) this.#log.info({}, "broker is up");
    else if (reason !== "closed") this.#log.warn({ reason }, "broker is down");
    for (const listener of [...this.#listeners]) listener(this.#state);
  }

  /** Replaces the reason while the broker is down; not logged, because it is not an outage. */
  setReason(reason: string): void {
    if (this.#state.up || this.#state.reason === reason) return;
    this.#state = { ...this.#state, reason };
    for (const listener of [...this.#listeners]) listener(this.#state);
  }

  listen(listener: (state: BrokerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * What a handler does in one attempt; `slow` succeeds after a while. The last two end its worker: before the commit
 * of what it does next, or after.
 */
export const outcomes = ["succeeds", "slow", "throws", "forGood", "later", "hangs", "diesBefore", "diesAfter"] as const;
export type Outcome = (typeof outcomes)[number];

export interface Limits {
  readonly attempts: number;
  readonly laterMs: number;
}

export interface EnqueuedTask {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Null when tasks of the kind have no order. */
  readonly orderKey: string | null;
  readonly key: string | null;
  readonly dueAt: number;
  /** By attempt; those after the last succeed. */
  readonly script: readonly Outcome[];
}

/** What everybody can see at one moment. */
export interface Seen {
  /** Names of tasks whose effect is stored, in the order in which the effects were written. */
  readonly effects: readonly string[];
  /** Ids of dead tasks. */
  readonly dead: ReadonlySet<string>;
}

export interface ModelAttempt {
  readonly name: string;
  readonly attempt: number;
  /** Its worker was frozen or is gone, or the clock jumped: it may have lost its task without knowing. */
  excused: boolean;
}

interface Entry {
  readonly task: EnqueuedTask;
  /** Its place in the order; one that replaces another takes the place of that, unless that has just ended. */
  earliest: number;
  latest: number;
  notBefore: number;
  dead: boolean;
  removed: "replaced" | "cancelled" | "discarded" | null;
  /** Of a removed task, as of the first look after that. */
  finalEffects: number | null;
  starts: number;
  failures: number;
  /** Attempts that asked to wait. */
  laters: number;
}

/**
 * What `core/ports/tasks.ts` promises, for any number of workers: it predicts no order among tasks that have
 * none, but says of everything that is seen whether it may be. Knows nothing of rows, leases and claims.
 */
export class TasksModel {
  readonly faults: string[] = [];
  readonly #limits: Limits;
  readonly #entries = new Map<string, Entry>();
  readonly #never = new Set<string>();
  readonly #active = new Set<ModelAttempt>();
  #position = 0;
  #latest = 0;
  #steppedBackMs = 0;
  #stopped = 0;
  /** Whether nothing happened but handlers and the passing of time, so that each outcome is known. */
  #calm = true;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Must be called with each reading of the clock, before `started`. */
  clock(now: number): void {
    this.#latest = Math.max(this.#latest, now);
  }

  stepped(ms: number): void {
    this.#calm = false;
    if (ms < 0) this.#steppedBackMs -= ms;
    else this.#excuse(() => true);
  }

  /** Workers that are frozen, gone or closed; `attempts` are those that ran there. */
  disturbed(attempts: ReadonlySet<ModelAttempt>): void {
    this.#calm = false;
    this.#stopped += 1;
    this.#excuse((one) => attempts.has(one));
  }

  #excuse(which: (attempt: ModelAttempt) => boolean): void {
    for (const one of this.#active) if (which(one)) one.excused = true;
  }

  /** Enqueued by a transaction that was rolled back. */
  rolledBack(name: string): void {
    this.#never.add(name);
  }

  enqueued(task: EnqueuedTask): void {
    if ([...this.#entries.values()].some((entry) => entry.task.id === task.id)) this.#fault(`${task.name} got an id twice`);
    const replaced = task.key === null ? [] : this.#ofKey(task.kind, task.key);
    for (const entry of replaced) entry.removed = "replaced";
    this.#position += 1;
    this.#entries.set(task.name, {
      task,
      earliest: Math.min(this.#position, ...replaced.map(({ earliest }) => earliest)),
      latest: this.#position,
      notBefore: task.dueAt,
      dead: false,
      removed: null,
      finalEffects: null,
      starts: 0,
      failures: 0,
      laters: 0,
    });
  }

  cancelled(kind: string, key: string, was: boolean, before: Seen): void {
    for (const entry of this.#ofKey(kind, key)) {
      const { name } = entry.task;
      if (was && before.effects.includes(name)) this.#fault(`${name} was cancelled after it was done`);
      // Without a task of the key nothing may happen later, so that both answers end it.
      entry.removed = "cancelled";
    }
  }

  resent(id: string, was: boolean, before: Seen): void {
    const entry = this.#byId(id);
    if (entry === undefined) return;
    const { name, kind, key, dueAt } = entry.task;
    const others = key === null ? [] : this.#ofKey(kind, key).filter((other) => !before.effects.includes(other.task.name));
    if (!was && others.length === 0) this.#fault(`${name} is dead and could not be sent again`);
    if (!was) return;
    this.#position += 1;
    const at = this.#position;
    Object.assign(entry, {
      earliest: at,
      latest: at,
      notBefore: dueAt,
      dead: false,
      removed: null,
      starts: 0,
      failures: 0,
      laters: 0,
    });
  }

  discarded(id: string, was: boolean): void {
    const entry = this.#byId(id);
    if (entry === undefined) return;
    if (!was) this.#fault(`${entry.task.name} is dead and could not be discarded`);
    entry.dead = false;
    entry.removed = "discarded";
  }

  outcomeOf(name: string, attempt: number): Outcome {
    const entry = this.#entries.get(name);
    // An attempt that asked to wait does not count.
    return entry?.task.script[attempt - 1 + entry.laters] ?? "succeeds";
  }

  /** `alone`: the handler works outside of a transaction, so that two of one order key must not overlap. */
  started(id: string, name: string, attempt: number, alone: boolean): ModelAttempt {
    const running: ModelAttempt = { name, attempt, excused: false };
    const entry = this.#entries.get(name);
    if (this.#never.has(name)) this.#fault(`${name} runs, and its transaction was rolled back`);
    if (entry === undefined) return running;
    entry.starts += 1;
    if (entry.task.id !== id) this.#fault(`${name} runs with another id`);
    if (attempt < 1 || attempt > this.#limits.attempts) this.#fault(`${name} runs a ${attempt}th time`);
    if (this.#latest < entry.notBefore - this.#steppedBackMs) this.#fault(`${name} runs before it is due`);
    if (alone && entry.task.orderKey !== null) {
      for (const other of this.#active)
        if (!other.excused && this.#entries.get(other.name)?.removed === null && this.#sameOrder(entry, other.name))
          this.#fault(`${name} runs beside ${other.name}`);
    }
    if (alone) this.#active.add(running);
    return running;
  }

  finished(running: ModelAttempt): void {
    this.#active.delete(running);
  }

  /** A handler threw; `later`: it asked to wait. */
  failed(running: ModelAttempt, now: number, later: boolean): void {
    const entry = this.#entries.get(running.name);
    if (entry === undefined) return;
    if (later) entry.laters += 1;
    else entry.failures += 1;
    if (entry.failures > this.#limits.attempts + this.#stopped) this.#fault(`${running.name} failed ${entry.failures} times`);
    if (later && !running.excused && this.#calm) entry.notBefore = now + this.#limits.laterMs;
  }

  look({ effects, dead }: Seen): void {
    for (const name of this.#never) if (effects.includes(name)) this.#fault(`${name} has an effect, and was rolled back`);
    for (const entry of this.#entries.values()) {
      const { name, id } = entry.task;
      const count = effects.filter((one) => one === name).length;
      if (count > 1) this.#fault(`${name} has its effect ${count} times`);
      if (dead.has(id) && count > 0) this.#fault(`${name} is dead and has its effect`);
      if (dead.has(id) && entry.removed !== null) {
        // It died just before the change that would have removed it, which then did not concern it.
        if (entry.finalEffects === null && entry.removed !== "discarded") entry.removed = null;
        else this.#fault(`${name} is dead after it was ${entry.removed}`);
      }
      if (entry.removed !== null) {
        entry.finalEffects ??= count;
        if (count !== entry.finalEffects) this.#fault(`${name} has an effect after it was ${entry.removed}`);
      }
      entry.dead = dead.has(id);
    }
    this.#checkOrder(effects);
  }

  /** Names of tasks that are neither done nor dead nor removed. */
  open(effects: readonly string[]): string[] {
    const entries = [...this.#entries.values()].filter((entry) => !entry.dead && entry.removed === null);
    return entries.map(({ task }) => task.name).filter((name) => !effects.includes(name));
  }

  /** When nothing waits any more. `known` are the ids of which the status says something. */
  end(seen: Seen, known: ReadonlySet<string>): void {
    this.look(seen);
    const open = this.open(seen.effects);
    if (open.length > 0) this.#fault(`${open.join(", ")} never ended`);
    for (const { task, dead, starts, removed } of this.#entries.values()) {
      const done = seen.effects.includes(task.name);
      if (known.has(task.id) !== dead) this.#fault(`${task.name} has a status, and is not dead`);
      if (done && starts === 0) this.#fault(`${task.name} is done and never ran`);
      if (this.#calm && removed === null && dead !== this.#dies(task.script)) this.#fault(`${task.name} is dead: ${dead}`);
    }
  }

  #dies(script: readonly Outcome[]): boolean {
    for (let attempt = 0; attempt < this.#limits.attempts; attempt += 1) {
      const outcome = script[attempt] ?? "succeeds";
      if (outcome === "succeeds" || outcome === "slow") return false;
      if (outcome === "forGood") return true;
    }
    return true;
  }

  #checkOrder(effects: readonly string[]): void {
    const done = effects.flatMap((name) => this.#entries.get(name) ?? []);
    for (const [at, later] of done.entries()) {
      for (const earlier of this.#entries.values()) {
        if (earlier.latest >= later.earliest || earlier.dead || earlier.removed !== null) continue;
        if (!this.#sameOrder(later, earlier.task.name)) continue;
        if (!effects.slice(0, at).includes(earlier.task.name))
          this.#fault(`${later.task.name} is done before ${earlier.task.name}`);
      }
    }
  }

  #sameOrder({ task }: Entry, name: string): boolean {
    const other = this.#entries.get(name)?.task;
    return task.orderKey !== null && other?.kind === task.kind && other.orderKey === task.orderKey;
  }

  /** Those that may still wait or run. */
  #ofKey(kind: string, key: string): Entry[] {
    return [...this.#entries.values()].filter(
      ({ task, dead, removed }) => task.kind === kind && task.key === key && !dead && removed === null,
    );
  }

  #byId(id: string): Entry | undefined {
    return [...this.#entries.values()].find(({ task }) => task.id === id);
  }

  #fault(fault: string): void {
    if (!this.faults.includes(fault)) this.faults.push(fault);
  }
}

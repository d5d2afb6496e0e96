import { CachedMap } from "#core/cached.ts";
import type { Finding } from "#core/feature.ts";
import type { Clock, Database, Tasks, Tx } from "#core/ports/index.ts";
import { checkSource, endDueDuty } from "./duty.contract.ts";
import { afterRestart, dueEnd, off, ownEnd } from "./duty.policy.ts";
import { addSilence } from "./duty.history.repo.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import {
  afterCall,
  afterDown,
  asksForNames,
  bootSaid,
  earlierBoot,
  type EventTimes,
  fallenSilent,
  isMissed,
  nextCheck,
  type Reporter,
  reporterOf,
  sharedAt,
  sharedForMs,
  type Source,
} from "./duty.sources.policy.ts";
import type { DutyStore, PersonKey } from "./duty.store.service.ts";

export interface DutySourcesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly store: DutyStore;
  /** A call of a source is noted this often when nothing else changes. Milliseconds; 5 seconds when left out. */
  readonly noteMs?: number;
  /** How old a source's last call has to be at a start for it to count as missed. Milliseconds; half a minute when left out. */
  readonly behindMs?: number;
}

/** A call of a source, and whom its unit of work changes. */
export interface SourceCall {
  readonly name: string;
  readonly boot: string | null;
  /** The instants of its events; null or left out for a call without. */
  readonly events?: EventTimes | null;
  readonly sendsEvents?: boolean;
  /** How far the clock of the source is behind; null or left out for a call that does not say its time. */
  readonly behindMs?: number | null;
  readonly people?: readonly PersonKey[];
}

export interface NotedCall {
  readonly source: Source;
  readonly reporter: Reporter;
  /** Those of the call, locked, and of the source's people those who look different after it. */
  readonly people: ReadonlyMap<number, StoredPerson>;
}

interface Checked {
  readonly name: string;
  readonly source: Source;
  readonly now: number;
}

interface Announced {
  readonly name: string;
  /** As it was before. */
  readonly before: Source;
  readonly source: Source;
  readonly back: boolean;
}

const standardNoteMs = 5_000;
/** How far behind what is stored of a source may be, because signs of life are written together. Milliseconds. */
const standardBehindMs = 30_000;

const endsOf = (people: readonly StoredPerson[], source: Source) => people.map((person) => dueEnd(person, source)?.due ?? null);

/** Notices when sources speak, fall silent and restart, and what that means for their people. */
export class DutySources {
  readonly #deps: DutySourcesDeps;
  readonly #known: CachedMap<string, Source>;

  constructor(deps: DutySourcesDeps) {
    this.#deps = deps;
    this.#known = new CachedMap({ clock: deps.clock, ttlMs: deps.noteMs ?? standardNoteMs, max: 1000 });
  }

  /**
   * In the unit of work of a call of the source: notes it, and locks these people. The one order everywhere is the
   * source, then people by id, then what is written; those of the source's people who look different now are
   * locked with them.
   */
  async noteCall(
    tx: Tx,
    { name, boot, events = null, sendsEvents = false, behindMs = null, people = [] }: SourceCall,
  ): Promise<NotedCall> {
    const now = this.#deps.clock.now();
    const before = await repo.takeSource(tx, name);
    const plain = { ...afterCall(before, boot, now, events), behindMs: behindMs ?? before.behindMs };
    const after = sendsEvents ? { ...plain, sendsEvents: true } : plain;
    const restarted = asksForNames(before, after);
    const back = before.silentFrom !== null;
    const own = restarted || back ? await repo.onDutyOfSource(tx, name) : [];
    const locked = await this.#deps.store.lock(tx, [...own.map((id) => ({ id, licence: "" })), ...people]);
    await repo.saveSource(tx, name, after);
    if (back) await addSilence(tx, name, before.lastCallAt, now);
    const announced = await this.#announce(
      tx,
      own.map((id) => locked.get(id)!),
      { name, before, source: after, back },
    );
    // At each restart: one that comes before the look that is planned must not put it off again and again.
    if (before.lastCallAt === 0 || restarted || back) await this.plan(tx, name, nextCheck(after, now, endsOf(announced, after)));
    const reporter = reporterOf(name, after, bootSaid(before, boot, events));
    return { source: after, reporter, people: new Map([...locked, ...announced.map((one) => [one.citizenId, one] as const)]) };
  }

  /** Before what is stored of the source is read: of two calls with the same events, the second one sees the first. */
  async lock(tx: Tx, name: string): Promise<void> {
    await repo.takeSource(tx, name);
  }

  /** The same for a call that writes nothing else: in a unit of work of its own, and only when something is to be noted. */
  async noteCallAlone(call: Pick<SourceCall, "name" | "boot" | "events" | "behindMs">): Promise<Source> {
    const known = this.#known.fresh(call.name);
    if (known !== undefined && known.silentFrom === null && this.#isNoted(known, call)) return known;
    const { source } = await this.#deps.db.write("duty.noteCall", async (tx) => await this.noteCall(tx, call));
    this.#known.set(call.name, source);
    return source;
  }

  #isNoted(known: Source, { boot: sent, events = null }: Pick<SourceCall, "boot" | "events">): boolean {
    const boot = bootSaid(known, sent, events);
    if (boot === null || boot === known.boot) return true;
    const now = this.#deps.clock.now();
    const earlier = earlierBoot(known, boot, now);
    return earlier !== null && now - earlier.at < (this.#deps.noteMs ?? standardNoteMs);
  }

  /** Drops what is cached. */
  invalidate(): void {
    this.#known.invalidateAll();
  }

  /**
   * Its time may be over: it falls silent, or the duties of its people end. Says when to look again; null when nothing
   * is left to happen.
   */
  async check(tx: Tx, name: string): Promise<number | null> {
    const now = this.#deps.clock.now();
    const before = await repo.lockSource(tx, name);
    if (before === null) return null;
    // What ends now ends before the silence could keep it.
    const people = await repo.lockPeople(tx, await repo.onDutyOfSource(tx, name));
    const ended = await this.#endDue(tx, people, { name, source: before, now });
    const silent = fallenSilent(before, now);
    const left = people.filter(({ citizenId }) => !ended.has(citizenId));
    if (silent !== null) {
      await repo.saveSource(tx, name, silent);
      await this.#announce(tx, left, { name, before, source: silent, back: false });
    }
    const source = silent ?? before;
    return nextCheck(source, now, endsOf(left, source));
  }

  /**
   * After a start: a source that could not call meanwhile counts as silent from now on, until it calls again. Once: see
   * `afterDown`.
   */
  async start(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const before = now - (this.#deps.behindMs ?? standardBehindMs);
    // A source that was already silent counts too: it may have called while we were down.
    const missed = (source: Source) => !isMissed(source) && (source.silentFrom !== null || source.lastCallAt <= before);
    const sources = await db.read("duty.start", async (tx) => await repo.listSources(tx));
    for (const [name, source] of sources) {
      if (!missed(source)) continue;
      await db.write("duty.start", async (tx) => {
        const found = await repo.lockSource(tx, name);
        if (found === null || !missed(found)) return;
        const silent = afterDown(found, now);
        const people = await repo.lockPeople(tx, await repo.onDutyOfSource(tx, name));
        await repo.saveSource(tx, name, silent);
        await this.#announce(tx, people, { name, before: found, source: silent, back: false });
        await this.plan(tx, name, nextCheck(silent, now));
      });
    }
  }

  /** For the doctor: game servers that fell silent while people are on duty by them, and two that share a name. */
  async findings(): Promise<Finding[]> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    return await db.read("duty.findings", async (tx) => {
      const found: Finding[] = [];
      for (const [name, source] of await repo.listSources(tx)) {
        const shared = sharedAt(source);
        if (shared !== null && now - shared <= sharedForMs)
          found.push({ id: "duty.sharedSource", state: "warning", params: { source: name } });
        const { silentFrom } = source;
        if (silentFrom === null) continue;
        const people = (await repo.onDutyOfSource(tx, name)).length;
        const minutes = Math.max(1, Math.round((now - silentFrom) / 60_000));
        if (people > 0) found.push({ id: "duty.silent", state: "warning", params: { source: name, count: people, minutes } });
      }
      return found;
    });
  }

  async plan(tx: Tx, name: string, dueAt: number | null): Promise<void> {
    if (dueAt !== null) await this.#deps.tasks.enqueue(tx, checkSource, { payload: { source: name }, key: name, dueAt });
  }

  /** Says whose duty ended. */
  async #endDue(tx: Tx, people: readonly StoredPerson[], { name, source, now }: Checked): Promise<Set<number>> {
    const changes = people.flatMap((before) => {
      const end = dueEnd(before, source);
      if (end === null || end.due > now) return [];
      return { before, after: off(before, end.end), ended: [end.end] };
    });
    await this.#deps.store.save(tx, changes, new Map([[name, source]]));
    return new Set(changes.map(({ before }) => before.citizenId));
  }

  /**
   * All of its people look different now. The grace of those who dropped begins again when it calls again. Returns them
   * as they are stored then.
   */
  async #announce(tx: Tx, people: readonly StoredPerson[], { name, before, source, back }: Announced): Promise<StoredPerson[]> {
    if (people.length === 0) return [];
    const { store, tasks, clock } = this.#deps;
    const now = clock.now();
    const sources = new Map([[name, source]]);
    const changed = people.map((person) => ({
      ...person,
      duty: person.duty && {
        ...afterRestart(person.duty, before, source),
        missingAt: back && person.duty.missingAt !== null ? now : person.duty.missingAt,
      },
    }));
    const next = await store.republish(tx, changed, sources);
    const due = next.flatMap((person) => {
      const dueAt = back ? ownEnd(person, sources) : null;
      return dueAt === null ? [] : [{ payload: { citizenId: person.citizenId }, key: String(person.citizenId), dueAt }];
    });
    if (due.length > 0) await tasks.enqueueAll(tx, endDueDuty, due);
    return next;
  }
}

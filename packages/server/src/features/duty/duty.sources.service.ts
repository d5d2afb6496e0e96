import { CachedMap } from "#core/cached.ts";
import type { Finding } from "#core/feature.ts";
import type { Clock, Database, Tasks, Tx } from "#core/ports/index.ts";
import { checkSource, endDueDuty } from "./duty.contract.ts";
import {
  afterCall,
  afterDown,
  dueEnd,
  fallenSilent,
  isMissed,
  isShared,
  off,
  namedBy,
  sharedForMs,
  silenceEndsMs,
  silentAfterMs,
  type Source,
} from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import { type DutyStore, ownEnd, type PersonKey } from "./duty.store.service.ts";

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
  readonly sendsEvents?: boolean;
  readonly people?: readonly PersonKey[];
}

export interface NotedCall {
  readonly source: Source;
  /** Those of the call, locked, and of the source's people those who look different after it. */
  readonly people: ReadonlyMap<number, StoredPerson>;
}

interface Looked {
  readonly name: string;
  readonly source: Source;
  readonly now: number;
}

interface Told {
  readonly name: string;
  readonly source: Source;
  readonly back: boolean;
}

const standardNoteMs = 5_000;
/** How far behind what is stored of a source may be, because signs of life are written together. Milliseconds. */
const standardBehindMs = 30_000;

/** When a source is looked at again; null when nothing is left to happen. */
function nextCheck(source: Source, now: number): number | null {
  const due = source.silentFrom === null ? source.lastCallAt + silentAfterMs : source.silentFrom + silenceEndsMs;
  const coming = [due, namedBy(source)].filter((at) => at !== null && at > now) as number[];
  return coming.length === 0 ? null : Math.min(...coming);
}

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
  async noteCall(tx: Tx, { name, boot, sendsEvents = false, people = [] }: SourceCall): Promise<NotedCall> {
    const now = this.#deps.clock.now();
    const before = await repo.takeSource(tx, name);
    const plain = afterCall(before, boot, now);
    const after = sendsEvents ? { ...plain, sendsEvents: true } : plain;
    const restarted = before.bootSince !== after.bootSince;
    const back = before.silentFrom !== null;
    const own = restarted || back ? await repo.onDutyOfSource(tx, name) : [];
    const locked = await this.#deps.store.lock(tx, [...own.map((id) => ({ id, licence: "" })), ...people]);
    await repo.saveSource(tx, name, after);
    if (before.lastCallAt === 0 || restarted || back) await this.plan(tx, name, nextCheck(after, now));
    const told = await this.#announce(
      tx,
      own.map((id) => locked.get(id)!),
      { name, source: after, back },
    );
    return { source: after, people: new Map([...locked, ...told.map((one) => [one.citizenId, one] as const)]) };
  }

  /** Before what is stored of the source is read: of two calls with the same events, the second one sees the first. */
  async lock(tx: Tx, name: string): Promise<void> {
    await repo.takeSource(tx, name);
  }

  /** The same for a call that writes nothing else: in a unit of work of its own, and only when something is to be noted. */
  async noteCallAlone(name: string, boot: string | null): Promise<Source> {
    const known = this.#known.fresh(name);
    if (known !== undefined && known.silentFrom === null && this.#isNoted(known, boot)) return known;
    const { source } = await this.#deps.db.write("duty.noteCall", async (tx) => await this.noteCall(tx, { name, boot }));
    this.#known.set(name, source);
    return source;
  }

  #isNoted({ boot: present, before }: Source, boot: string | null): boolean {
    if (boot === null || boot === present) return true;
    return boot === before?.boot && this.#deps.clock.now() - before.at < (this.#deps.noteMs ?? standardNoteMs);
  }

  /** Whatever another process noted is read again. */
  forget(): void {
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
    if (silent !== null) {
      await repo.saveSource(tx, name, silent);
      const left = people.filter(({ citizenId }) => !ended.has(citizenId));
      await this.#announce(tx, left, { name, source: silent, back: false });
    }
    return nextCheck(silent ?? before, now);
  }

  /**
   * After a start: a source that could not call meanwhile counts as silent from now on, until it calls again. Once: see
   * `afterDown`.
   */
  async start(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const before = now - (this.#deps.behindMs ?? standardBehindMs);
    // Also one that was silent before: nobody knows whether it called since.
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
        await this.#announce(tx, people, { name, source: silent, back: false });
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
        const shared = isShared(source) && now - source.before!.at <= sharedForMs;
        if (shared) found.push({ id: "duty.sharedSource", state: "warning", params: { source: name } });
        const { silentFrom } = source;
        if (silentFrom === null) continue;
        const people = (await repo.onDutyOfSource(tx, name)).length;
        const minutes = Math.max(1, Math.round((now - silentFrom) / 60_000));
        if (people > 0) found.push({ id: "duty.silent", state: "warning", params: { source: name, people, minutes } });
      }
      return found;
    });
  }

  async plan(tx: Tx, name: string, dueAt: number | null): Promise<void> {
    if (dueAt !== null) await this.#deps.tasks.enqueue(tx, checkSource, { payload: { source: name }, key: name, dueAt });
  }

  /** Says whose duty ended. */
  async #endDue(tx: Tx, people: readonly StoredPerson[], { name, source, now }: Looked): Promise<Set<number>> {
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
  async #announce(tx: Tx, people: readonly StoredPerson[], { name, source, back }: Told): Promise<StoredPerson[]> {
    if (people.length === 0) return [];
    const { store, tasks, clock } = this.#deps;
    const now = clock.now();
    const next = people.map((person) => ({
      ...person,
      version: person.version + 1,
      duty: person.duty && { ...person.duty, missingAt: back && person.duty.missingAt !== null ? now : person.duty.missingAt },
    }));
    const sources = new Map([[name, source]]);
    await repo.savePeople(tx, next);
    await store.announce(
      tx,
      next.map((person) => ({ person, was: null })),
      sources,
    );
    const due = next.flatMap((person) => {
      const dueAt = back ? ownEnd(person, sources) : null;
      return dueAt === null ? [] : [{ payload: { citizenId: person.citizenId }, key: String(person.citizenId), dueAt }];
    });
    if (due.length > 0) await tasks.enqueueAll(tx, endDueDuty, due);
    return next;
  }
}

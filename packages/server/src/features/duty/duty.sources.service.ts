import { CachedMap } from "#core/cached.ts";
import type { Finding } from "#core/feature.ts";
import type { Clock, Database, Tasks, Tx } from "#core/ports/index.ts";
import { checkSource, endDueDuty } from "./duty.contract.ts";
import {
  afterCall,
  afterDown,
  dueEnd,
  fallenSilent,
  off,
  namedBy,
  silenceEndsMs,
  silentAfterMs,
  type Source,
} from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import { type DutyStore, ownEnd } from "./duty.store.service.ts";

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

  /** In the unit of work of a call of the source, before its people are locked. */
  async noteCall(tx: Tx, name: string, boot: string | null, sendsEvents = false): Promise<Source> {
    const now = this.#deps.clock.now();
    const before = await repo.findSource(tx, name);
    const plain = afterCall(before, boot, now);
    const after = sendsEvents ? { ...plain, sendsEvents: true } : plain;
    await repo.saveSource(tx, name, after);
    const restarted = before !== null && before.bootSince !== after.bootSince;
    const back = before !== null && before.silentFrom !== null;
    if (before === null || restarted || back) await this.#plan(tx, name, after, now);
    if (restarted || back) await this.#announce(tx, name, after, back);
    return after;
  }

  /** The same for a call that writes nothing else: in a unit of work of its own, and only when something is to be noted. */
  async noteCallAlone(name: string, boot: string | null): Promise<Source> {
    const known = this.#known.fresh(name);
    if (known !== undefined && known.silentFrom === null && (boot === null || known.boot === boot)) return known;
    const noted = await this.#deps.db.write("duty.noteCall", async (tx) => await this.noteCall(tx, name, boot));
    this.#known.set(name, noted);
    return noted;
  }

  /** Whatever another process noted is read again. */
  forget(): void {
    this.#known.invalidateAll();
  }

  /** Its time may be over: it falls silent, or the duties of its people end. */
  async check(tx: Tx, name: string): Promise<void> {
    const now = this.#deps.clock.now();
    const before = await repo.findSource(tx, name);
    if (before === null) return;
    // What ends now ends before the silence could keep it.
    await this.#endDue(tx, name, before, now);
    const silent = fallenSilent(before, now);
    if (silent !== null) {
      await repo.saveSource(tx, name, silent);
      await this.#announce(tx, name, silent, false);
    }
    await this.#plan(tx, name, silent ?? before, now);
  }

  /** After a start: a source that could not call meanwhile counts as silent from now on, until it calls again. */
  async start(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const before = now - (this.#deps.behindMs ?? standardBehindMs);
    // Also one that was silent before: nobody knows whether it called since.
    const missed = (source: Source) => source.silentFrom !== null || source.lastCallAt <= before;
    const sources = await db.read("duty.start", async (tx) => await repo.listSources(tx));
    for (const [name, source] of sources) {
      if (!missed(source)) continue;
      await db.write("duty.start", async (tx) => {
        const found = await repo.findSource(tx, name);
        if (found === null || !missed(found)) return;
        const silent = afterDown(found, now);
        await repo.saveSource(tx, name, silent);
        await this.#announce(tx, name, silent, false);
        await this.#plan(tx, name, silent, now);
      });
    }
  }

  /** Game servers that fell silent while people are on duty by them, for the doctor. */
  async findings(): Promise<Finding[]> {
    const { db, clock } = this.#deps;
    return await db.read("duty.findings", async (tx) => {
      const found: Finding[] = [];
      for (const [source, { silentFrom }] of await repo.listSources(tx)) {
        if (silentFrom === null) continue;
        const people = (await repo.onDutyOfSource(tx, source)).length;
        const minutes = Math.max(1, Math.round((clock.now() - silentFrom) / 60_000));
        if (people > 0) found.push({ id: "duty.silent", state: "warning", params: { source, people, minutes } });
      }
      return found;
    });
  }

  async #plan(tx: Tx, name: string, source: Source, now: number): Promise<void> {
    const dueAt = nextCheck(source, now);
    if (dueAt !== null) await this.#deps.tasks.enqueue(tx, checkSource, { payload: { source: name }, key: name, dueAt });
  }

  async #endDue(tx: Tx, name: string, source: Source, now: number): Promise<void> {
    const { store } = this.#deps;
    const people = await repo.peopleOf(tx, await repo.onDutyOfSource(tx, name));
    const sources = new Map([[name, source]]);
    const changes = people.flatMap((before) => {
      const end = dueEnd(before, source);
      if (end === null || end.due > now) return [];
      return { before, after: off(before, end.end), ended: [end.end] };
    });
    await store.save(tx, changes, sources);
  }

  /** All of its people look different now. The grace of those who dropped begins again when it calls again. */
  async #announce(tx: Tx, name: string, source: Source, back: boolean): Promise<void> {
    const { store, tasks } = this.#deps;
    const people = await repo.peopleOf(tx, await repo.onDutyOfSource(tx, name));
    if (people.length === 0) return;
    const now = this.#deps.clock.now();
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
    if (!back) return;
    const due = next.flatMap((person) => {
      const dueAt = ownEnd(person, sources);
      return dueAt === null ? [] : [{ payload: { citizenId: person.citizenId }, key: String(person.citizenId), dueAt }];
    });
    if (due.length > 0) await tasks.enqueueAll(tx, endDueDuty, due);
  }
}

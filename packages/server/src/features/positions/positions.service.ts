import type { Viewer } from "#core/actor.ts";
import { CachedMap } from "#core/cached.ts";
import { BoundedMap } from "#core/recent.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, LatestValues, StatePublisher, TopicGrant } from "#core/ports/index.ts";
import { type CharacterWithJobs, charactersWithJobs } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, DutySign } from "#features/duty/duty.api.ts";
import type { JobMeanings, JobsApi } from "#features/jobs/jobs.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchItem } from "#features/sync/sync.batch.api.ts";
import { syncErrors } from "#features/sync/sync.contract.ts";
import { type OwnPlace, ownPlaceEveryMs, ownPlaceTopic, positionsTopic, SyncPosition } from "./positions.contract.ts";
import type { PositionsApi } from "./positions.api.ts";
import type { Duties } from "./positions.duties.service.ts";
import { arrivedAt, classOf, isCurrent, isOpen, type KnownPlace, type Origin, shown, scopeOf } from "./positions.policy.ts";

export interface PositionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly state: StatePublisher;
  readonly latest: LatestValues;
  readonly duty: DutyApi;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly sync: SyncApi;
  readonly postals: PostalsApi;
  readonly duties: Duties;
}

interface Body {
  readonly source?: string;
  readonly boot?: string | null;
  readonly at?: number;
  readonly clear?: boolean;
  readonly items: readonly unknown[];
}

/** A character with the jobs that are work; `first` is null where the first one is none, or the character is off duty in it. */
interface Known extends CharacterWithJobs {
  readonly first: { readonly job: string; readonly grade: number } | null;
}

interface Taken {
  readonly item: SyncPosition;
  readonly character: Known;
}

/** Characters are read again after this time, and at once when they change. Milliseconds. */
const charactersMs = 60_000;
const mostCharacters = 20_000;
/** People who stand still are reported every 15 s, so who was not for this long is no longer there. Milliseconds. */
const playingMs = 60_000;

/** Takes positions of game servers and says who sees them. */
export class PositionsService {
  readonly #deps: PositionsDeps;
  /** Of whom the place was removed, and when: a call of before brings nothing back. */
  readonly #removed = new BoundedMap<number, Origin>(mostCharacters);
  /** By the game's identifier; null for one that is not known. */
  readonly #characters: CachedMap<string, Known | null>;

  constructor(deps: PositionsDeps) {
    this.#deps = deps;
    this.#characters = new CachedMap({ clock: deps.clock, ttlMs: charactersMs, max: mostCharacters });
  }

  get api(): PositionsApi {
    return { place: (id) => this.#placeOf(id), playing: async (ids) => await this.#playing(ids) };
  }

  async sync(_call: CallContext, { source = "default", boot = null, at, clear = false, items }: Body) {
    const { sync, duty, clock } = this.#deps;
    const { valid, rejected } = sync.sort<SyncPosition>({
      schema: SyncPosition,
      items,
      idOf: ({ identifier }) => identifier,
      problemOf: ({ x, y, remove }) =>
        remove !== true && (x === undefined || y === undefined)
          ? { field: x === undefined ? "x" : "y", problem: "is missing; send the place, or set `remove`" }
          : null,
    });
    const { taken, unknown } = await this.#known(valid);
    const now = clock.now();
    const originOf = (known: Origin | null): Origin => {
      return { source, boot, takenAt: at ?? arrivedAt(known, { source, boot }, now) };
    };
    const fresh = taken.flatMap(({ item, character }) => {
      const known = this.#knownOf(character.id);
      const from = originOf(known);
      return isCurrent(known, from) ? [{ item, character, from }] : [];
    });
    const signs = fresh.map(signOf);
    const gone = clear ? this.#clear(originOf, new Set(taken.map(({ character }) => character.id))) : [];
    // Before anything is awaited: a call that is later must not be overtaken, and needs no database to hide somebody.
    for (const { item, character, from } of fresh) this.#publish(item, character.id, from);
    for (const { citizenId } of gone) this.#remove(citizenId, originOf(this.#knownOf(citizenId)));
    await duty.seen(source, boot, [...signs, ...gone]);
    const all = [...rejected, ...unknown].toSorted((a, b) => a.index - b.index);
    return { accepted: fresh.length, ignored: taken.length - fresh.length, rejected: all };
  }

  async own(viewer: Viewer): Promise<OwnPlace> {
    const { duties, state, db, sync } = this.#deps;
    const [reported] = state.values(positionsTopic);
    const isDemo = reported === undefined && (await db.read("positions.own", async (tx) => await sync.isDemo(tx)));
    const place = this.#placeOf(viewer.characterId);
    return {
      onDuty: duties.of(viewer.characterId) !== null,
      known: place !== null,
      hidden: place?.hidden === true,
      exempt: viewer.jobAdmin !== null,
      at: state.publishedAt(positionsTopic, String(viewer.characterId)),
      reports: reported !== undefined ? "game" : isDemo ? "demo" : "none",
    };
  }

  grant(viewer: Viewer): TopicGrant {
    const { duties } = this.#deps;
    const { characterId: id } = viewer;
    const scope = scopeOf(viewer, isOpen(duties.of(id), this.#placeOf(id)));
    return { class: classOf(scope), view: (data) => shown(scope, duties.of((data as KnownPlace).id), data as KnownPlace) };
  }

  /** Characters of these ids changed. */
  forget(ids: ReadonlySet<number>): void {
    this.#characters.invalidateWhere((character) => character === null || ids.has(character.id));
  }

  forgetAll(): void {
    this.#characters.invalidateAll();
  }

  async #known(items: readonly BatchItem<SyncPosition>[]) {
    const { db, jobs } = this.#deps;
    const characters = await this.#characters.getAll(
      items.map(({ id }) => id),
      async (missing) => {
        return await db.read("positions.characters", async (tx) => {
          const found = await charactersWithJobs(tx, missing);
          const meanings = await jobs.meanings(tx);
          return new Map(missing.map((id) => [id, knownOf(found.get(id), meanings)]));
        });
      },
    );
    const taken: Taken[] = [];
    const unknown = items.flatMap(({ id, index, item }) => {
      const character = characters.get(id) ?? null;
      if (character !== null) taken.push({ item, character });
      const message = "identifier is not known; send the character (`users`) first";
      return character === null ? [{ index, id, code: syncErrors.itemInvalid.code, message }] : [];
    });
    return { taken, unknown };
  }

  /** What the order of a character's positions goes by. */
  #knownOf(id: number): Origin | null {
    return this.#placeOf(id) ?? this.#removed.get(id) ?? null;
  }

  async #playing(ids: readonly number[]): Promise<Map<number, string>> {
    const { latest } = this.#deps;
    const found = await Promise.all(ids.map(async (id) => await latest.get(positionsTopic, String(id))));
    const there = found.filter((one) => one !== null).filter(({ ageMs }) => ageMs <= playingMs);
    const known = there.toSorted((a, b) => a.ageMs - b.ageMs).map(({ value }) => value as unknown as KnownPlace);
    return new Map(known.map(({ id, source }) => [id, source]));
  }

  #placeOf(id: number): KnownPlace | null {
    return this.#deps.state.value(positionsTopic, String(id)) as KnownPlace | null;
  }

  /** Those of this source who are not named, as far as nothing newer is known of them. */
  #clear(originOf: (known: Origin) => Origin, named: ReadonlySet<number>): DutySign[] {
    const gone: DutySign[] = [];
    for (const [, data] of this.#deps.state.values(positionsTopic)) {
      const place = data as unknown as KnownPlace;
      const { id } = place;
      const from = originOf(place);
      if (place.source !== from.source || named.has(id) || !isCurrent(place, from)) continue;
      gone.push({ citizenId: id, licence: "", job: null, grade: 0, remove: true });
    }
    return gone;
  }

  #publish(item: SyncPosition, id: number, from: Origin): void {
    if (item.remove === true) return this.#remove(id, from);
    const { x = 0, y = 0, z = null, heading = null, speed = null, vehicle = null, hidden = false } = item;
    const postal = this.#deps.postals.nearest(x, y)?.code ?? null;
    const place: KnownPlace = { id, x, y, z, heading, speed, vehicle, postal, hidden, ...from };
    this.#deps.state.publish(positionsTopic, String(id), place as never);
    this.#publishOwn(id, hidden);
  }

  /** Most places only move, which is no news to their own character, and there are hundreds a second. */
  #publishOwn(id: number, hidden: boolean): void {
    const { state, clock } = this.#deps;
    const key = String(id);
    const at = state.publishedAt(ownPlaceTopic, key) ?? 0;
    const isKnown = state.value(ownPlaceTopic, key)?.hidden === hidden;
    if (!isKnown || Math.abs(clock.now() - at) >= ownPlaceEveryMs) state.publish(ownPlaceTopic, key, { hidden });
  }

  #remove(id: number, from: Origin): void {
    this.#removed.set(id, from);
    this.#deps.state.publish(positionsTopic, String(id), null);
    this.#deps.state.publish(ownPlaceTopic, String(id), null);
  }
}

/** Of these jobs, only those that are work. */
function knownOf(character: CharacterWithJobs | undefined, { isWork }: JobMeanings): Known | null {
  if (character === undefined) return null;
  const [first] = character.jobs;
  const works = first !== undefined && !first.offDuty && isWork(first.job);
  return { ...character, jobs: character.jobs.filter(({ job }) => isWork(job)), first: works ? first : null };
}

/** The job that the position names, as far as the character holds it; else the first one, unless the character is off duty there. */
function signOf({ item, character: { id: citizenId, licence, jobs, first } }: Taken): DutySign {
  const named = item.job ?? null;
  const held = named === null ? first : jobs.find(({ job }) => job === named);
  const remove = item.remove === true;
  return { citizenId, licence, job: held?.job ?? null, grade: held?.grade ?? 0, remove };
}

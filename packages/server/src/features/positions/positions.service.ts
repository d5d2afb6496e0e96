import type { Viewer } from "#core/actor.ts";
import { CachedMap } from "#core/cached.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, LatestValues, StatePublisher, TopicGrant } from "#core/ports/index.ts";
import { type CharacterWithJobs, charactersWithJobs } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, DutySign } from "#features/duty/duty.api.ts";
import type { JobMeanings, JobsApi } from "#features/jobs/jobs.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchItem } from "#features/sync/sync.batch.api.ts";
import { instantProblem } from "#features/sync/sync.times.api.ts";
import { syncErrors } from "#features/sync/sync.contract.ts";
import { type OwnPlace, ownPlaceEveryMs, ownPlaceTopic, positionsTopic, SyncPosition } from "./positions.contract.ts";
import type { DatedPlace, PositionsApi } from "./positions.api.ts";
import type { Duties } from "./positions.duties.service.ts";
import {
  arrivedAt,
  classOf,
  type GonePlace,
  isCurrent,
  isOnDuty,
  isOpen,
  type KnownPlace,
  type Origin,
  placeIn,
  type Reported,
  reportsOf,
  shown,
  scopeOf,
} from "./positions.policy.ts";

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
  readonly meanings: JobMeanings;
}

interface Taken {
  readonly item: SyncPosition;
  readonly character: Known;
}

/** Characters are read again after this time, and at once when they change. Milliseconds. */
const charactersMs = 60_000;
const mostCharacters = 20_000;
/** Of a clock that is further ahead only the order of arrival counts: once it is set back, positions would be ignored for as long. Milliseconds. */
const mostAheadMs = 5 * 60_000;
/** People who stand still are reported every 15 s, so who was not for this long is no longer there. Milliseconds. */
const playingMs = 60_000;

/** Takes positions of game servers and says who sees them. */
export class PositionsService {
  readonly #deps: PositionsDeps;
  /** By the game's identifier; null for one that is not known. */
  readonly #characters: CachedMap<string, Known | null>;
  readonly #followers: ((place: KnownPlace) => void)[] = [];

  constructor(deps: PositionsDeps) {
    this.#deps = deps;
    this.#characters = new CachedMap({ clock: deps.clock, ttlMs: charactersMs, max: mostCharacters });
  }

  get api(): PositionsApi {
    return {
      place: (id) => this.#datedOf(id),
      follow: (follower) => void this.#followers.push(follower),
      playing: async (ids) => await this.#playing(ids),
    };
  }

  async sync(_call: CallContext, { source = "default", boot = null, at, clear = false, items }: Body) {
    const { sync, duty, clock } = this.#deps;
    const problem = at === undefined ? null : instantProblem(at, clock.now());
    if (problem !== null) throw new AppError(guardErrors.invalidInput, { params: { field: "at", problem } });
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
      const isUsable = at !== undefined && at <= now + mostAheadMs;
      return { source, boot, takenAt: isUsable ? at : arrivedAt(known, { source, boot }, now) };
    };
    const fresh = taken.flatMap(({ item, character }) => {
      const known = this.#reported(character.id);
      const from = originOf(known);
      return isCurrent(known, from) ? [{ item, character, from }] : [];
    });
    const signs = fresh.map(signOf);
    const gone = clear ? this.#clear(originOf, new Set(taken.map(({ character }) => character.id))) : [];
    // Before anything is awaited: a call that is later must not be overtaken, and needs no database to hide somebody.
    for (const { item, character, from } of fresh) this.#publish(item, character.id, from);
    for (const { citizenId } of gone) this.#remove(citizenId, originOf(this.#reported(citizenId)));
    await duty.seen(source, boot, [...signs, ...gone], at ?? null);
    const all = [...rejected, ...unknown].toSorted((a, b) => a.index - b.index);
    return { accepted: fresh.length, ignored: taken.length - fresh.length, rejected: all };
  }

  async own(viewer: Viewer): Promise<OwnPlace> {
    const { duties, state } = this.#deps;
    const place = this.#placeOf(viewer.characterId);
    return {
      onDuty: isOnDuty(duties.of(viewer.characterId), viewer),
      known: place !== null,
      hidden: place?.hidden === true,
      exempt: viewer.jobAdmin !== null,
      at: place === null ? null : state.publishedAt(positionsTopic, String(viewer.characterId)),
      ...(await this.#reports()),
    };
  }

  async #reports(): Promise<Pick<OwnPlace, "reports" | "reportedAt">> {
    const { state, db, sync, duty } = this.#deps;
    const isKnown = [...state.values(positionsTopic)].some(([, data]) => placeIn(data as unknown as Reported) !== null);
    return await db.read("positions.own", async (tx) => {
      const last = await duty.lastReport(tx);
      const reports = reportsOf(last, isKnown, await sync.isDemo(tx));
      return { reports, reportedAt: reports === "places" ? null : (last?.at ?? null) };
    });
  }

  grant(viewer: Viewer): TopicGrant {
    const { duties } = this.#deps;
    const { characterId: id } = viewer;
    const scope = scopeOf(viewer, isOpen(duties.of(id), this.#placeOf(id), viewer));
    const view = (data: unknown) => {
      const place = placeIn(data as Reported);
      return place && shown(scope, duties.of(place.id), place);
    };
    return { class: classOf(scope), view };
  }

  /** Characters of these ids changed. */
  invalidate(ids: ReadonlySet<number>): void {
    this.#characters.invalidateWhere((character) => character === null || ids.has(character.id));
  }

  invalidateAll(): void {
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

  async #playing(ids: readonly number[]): Promise<Map<number, string>> {
    const { latest } = this.#deps;
    const found = await Promise.all(ids.map(async (id) => await latest.get(positionsTopic, String(id))));
    const there = found.filter((one) => one !== null).filter(({ ageMs }) => ageMs <= playingMs);
    const known = there.toSorted((a, b) => a.ageMs - b.ageMs).map(({ value }) => placeIn(value as unknown as Reported));
    return new Map(known.flatMap((place) => (place === null ? [] : [[place.id, place.source]])));
  }

  #placeOf(id: number): KnownPlace | null {
    return placeIn(this.#reported(id));
  }

  #datedOf(id: number): DatedPlace | null {
    const { state, clock } = this.#deps;
    const place = this.#placeOf(id);
    const now = clock.now();
    return place && { ...place, at: Math.min(now, state.publishedAt(positionsTopic, String(id)) ?? now) };
  }

  /** The place or its removal: what the order of a character's positions goes by. */
  #reported(id: number): Reported | null {
    return this.#deps.state.value(positionsTopic, String(id)) as Reported | null;
  }

  /** Those of this source who are not named, as far as nothing newer is known of them. */
  #clear(originOf: (known: Origin) => Origin, named: ReadonlySet<number>): DutySign[] {
    const gone: DutySign[] = [];
    for (const [, data] of this.#deps.state.values(positionsTopic)) {
      const place = placeIn(data as unknown as Reported);
      if (place === null) continue;
      const { id } = place;
      const from = originOf(place);
      if (place.source !== from.source || named.has(id) || !isCurrent(place, from)) continue;
      gone.push({ citizenId: id, licence: "", job: null, named: null, grade: 0, offDuty: false, remove: true });
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
    for (const follower of this.#followers) follower(place);
  }

  /** Most places only move, which is no news to their own character, and there are hundreds a second. */
  #publishOwn(id: number, hidden: boolean): void {
    const { state, clock } = this.#deps;
    const key = String(id);
    const at = state.publishedAt(ownPlaceTopic, key) ?? 0;
    const isKnown = state.value(ownPlaceTopic, key)?.hidden === hidden;
    if (!isKnown || Math.abs(clock.now() - at) >= ownPlaceEveryMs) state.publish(ownPlaceTopic, key, { hidden });
  }

  /** Also in other processes, and in those that start, a call of before brings nothing back. */
  #remove(id: number, from: Origin): void {
    const gone: GonePlace = { id, gone: true, ...from };
    this.#deps.state.publish(positionsTopic, String(id), gone as never);
    this.#deps.state.publish(ownPlaceTopic, String(id), null);
  }
}

/** Of these jobs, only those that are work. */
function knownOf(character: CharacterWithJobs | undefined, meanings: JobMeanings): Known | null {
  if (character === undefined) return null;
  const { isWork } = meanings;
  const [first] = character.jobs;
  const works = first !== undefined && !first.offDuty && isWork(first.job);
  return { ...character, jobs: character.jobs.filter(({ job }) => isWork(job)), first: works ? first : null, meanings };
}

/** The job that the position names, as far as the character holds it; else the first one, unless the character is off duty there. */
function signOf({ item, character: { id: citizenId, licence, jobs, first, meanings } }: Taken): DutySign {
  const all = jobs.map(({ job }) => job);
  const named = item.job == null ? null : meanings.of(item.job, all);
  const held = named === null ? first : jobs.find(({ job }) => job === named.job);
  const [remove, offDuty] = [item.remove === true, named?.offDuty === true];
  const isWork = named !== null && meanings.isWork(named.job);
  return {
    citizenId,
    licence,
    job: held?.job ?? null,
    named: isWork ? (item.job ?? null) : null,
    grade: held?.grade ?? 0,
    offDuty,
    remove,
  };
}

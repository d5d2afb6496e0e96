import type { Viewer } from "#core/actor.ts";
import type { MessageOf, PayloadOf } from "#core/contract/index.ts";
import type { Clock, Database, Log, StatePublisher, TopicGrant } from "#core/ports/index.ts";
import type { PositionsApi } from "#features/positions/positions.api.ts";
import { type panicChanged, panicPlacesTopic } from "./panic.contract.ts";
import { answers, shownAgainAt } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";
import type { LastPlaces } from "./panic.seen.service.ts";
import type { ShownPanics } from "./panic.shown.service.ts";

/** After this time a failed read is tried again. Milliseconds. */
const retryMs = 1000;
/** Who stands still is reported every 15 s: what was reported before is no present place. Milliseconds. */
const presentMs = 20_000;

export interface PlacesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: StatePublisher;
  readonly positions: Pick<PositionsApi, "place" | "follow">;
  readonly shown: ShownPanics;
  readonly seen: LastPlaces;
}

/** A panic whose place is followed. */
interface Followed {
  readonly id: number;
  readonly jobs: readonly string[];
  readonly until: number;
  /** When this process publishes its place next. */
  dueAt: number;
}

type Point = Parameters<Parameters<PositionsApi["follow"]>[0]>[0];
type Published = MessageOf<typeof panicPlacesTopic> & { readonly jobs: readonly string[] };

/**
 * Shows the places of those who pressed, also hidden ones, to who answers it: in the memory of each process, by the
 * places that game servers report to it.
 */
export class PanicPlaces {
  readonly #deps: PlacesDeps;
  /** By citizen. */
  readonly #followed = new Map<number, Followed>();
  /** Panics that have ended, with when their places would be followed no longer: what was read before may still have them. */
  readonly #over = new Map<number, number>();

  constructor(deps: PlacesDeps) {
    this.#deps = deps;
    deps.positions.follow((place) => this.#moved(place));
  }

  async start(): Promise<void> {
    const { db, clock } = this.#deps;
    const before = new Map(this.#followed);
    const { rows, alarms } = await db.read("panic.places", async (tx) => {
      const found = await repo.followed(tx, clock.now());
      const ids = found.map(({ id }) => id);
      return { rows: found, alarms: await repo.alarmsOf(tx, ids) };
    });
    // What began or ended meanwhile is newer than what was read.
    for (const [citizenId, one] of before) if (this.#followed.get(citizenId) === one) this.#followed.delete(citizenId);
    for (const { id, citizen_id: citizenId, place_until: until } of rows) {
      const jobs = (alarms.get(id) ?? []).map(({ job }) => job);
      if (citizenId === null || this.#over.has(id) || this.#followed.has(citizenId)) continue;
      this.#followed.set(citizenId, { id, jobs, until, dueAt: before.get(citizenId)?.dueAt ?? 0 });
    }
  }

  changed({ jobs, panic }: PayloadOf<typeof panicChanged>): void {
    if (panic === null) return;
    const { id, citizenId, active, until } = panic;
    const known = this.#followed.get(citizenId);
    if (active && until > this.#deps.clock.now()) {
      this.#followed.set(citizenId, { id, jobs, until, dueAt: known?.id === id ? known.dueAt : 0 });
      const place = this.#deps.positions.place(citizenId);
      // An older one is shown as that of the press, with its age.
      const isPresent = place !== null && this.#deps.clock.now() - place.at < presentMs;
      if (isPresent && known?.id !== id) this.#moved(place, place.at);
      return;
    }
    if (known?.id === id) this.#followed.delete(citizenId);
    this.#end(id, until);
    void this.#deps.seen.flush();
    this.#deps.state.publish(panicPlacesTopic, String(id), null);
  }

  /** Events of other processes may be missing. */
  missed(): void {
    this.start().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, "active panics could not be read again; their places stand still until then");
      this.#deps.clock.setTimeout(() => this.missed(), retryMs);
    });
  }

  /** For who answers panics of the own job now. */
  async grant(viewer: Viewer): Promise<TopicGrant | null> {
    const { db, shown } = this.#deps;
    const onDutyIn = await db.read("panic.grant", async (tx) => await shown.dutyOf(tx, viewer));
    if (!answers(viewer.rights, onDutyIn === viewer.job)) return null;
    return {
      class: viewer.job,
      view(data) {
        const { jobs, ...place } = data as Published;
        return jobs.includes(viewer.job) ? place : null;
      },
    };
  }

  /** One that has ended never begins again. */
  #end(id: number, until: number): void {
    const now = this.#deps.clock.now();
    for (const [one, at] of this.#over) if (at <= now) this.#over.delete(one);
    if (until > now) this.#over.set(id, until);
  }

  #moved({ id: citizenId, x, y, postal }: Point, at = this.#deps.clock.now()): void {
    const found = this.#followed.get(citizenId);
    if (found === undefined) return;
    const { state, clock, seen } = this.#deps;
    const now = clock.now();
    if (now >= found.until) {
      this.#followed.delete(citizenId);
      state.publish(panicPlacesTopic, String(found.id), null);
      void seen.flush();
      return;
    }
    seen.put(found.id, { x, y, postal, at });
    const dueAt = shownAgainAt(found.dueAt, now);
    if (dueAt === null) return;
    found.dueAt = dueAt;
    const place: Published = { x, y, postal, jobs: found.jobs };
    state.publish(panicPlacesTopic, String(found.id), place);
  }
}

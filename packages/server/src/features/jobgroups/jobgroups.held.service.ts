import type { Viewer } from "#core/actor.ts";
import { CachedMap } from "#core/cached.ts";
import { type EventListener, listenTo } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { PrincipalKind } from "#features/accesslists/accesslists.api.ts";
import { membersChanged } from "./jobgroups.contract.ts";
import { heldGroups, ledBy } from "./jobgroups.members.repo.ts";
import { may, seesAll } from "./jobgroups.policy.ts";
import { namesOf } from "./jobgroups.repo.ts";

export interface HeldDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** As long as rights are kept. */
const ttlMs = 2000;
const maxCached = 10_000;

/** The groups of characters as this process knows them, for access lists. */
export class HeldGroups {
  readonly #deps: HeldDeps;
  readonly #held: CachedMap<number, readonly { readonly id: number; readonly job: string }[]>;

  constructor(deps: HeldDeps) {
    this.#deps = deps;
    this.#held = new CachedMap({ clock: deps.clock, ttlMs, max: maxCached });
  }

  readonly principals: PrincipalKind = {
    subject: "group",
    heldBy: ({ jobGroups }) => jobGroups ?? [],
    heldByOther: async (tx, { characterId, job }) =>
      (await heldGroups(tx, characterId)).filter((one) => one.job === job).map(({ group_id }) => group_id),
    hiddenOf: async (tx, viewer, { job }, ids) => {
      // Nobody is in a group of another job.
      const own = [...(await namesOf(tx, ids))].filter(([, one]) => one.job === job).map(([id]) => id);
      const known = await this.seeing(tx, viewer, own);
      return new Set(own.filter((id) => !known.has(id)));
    },
    names: async (tx, ids) => new Map([...(await namesOf(tx, ids))].map(([id, { name }]) => [id, name])),
    /** Groups of other jobs are not named: an id that is tried would reveal a name. */
    nameable: async (tx, viewer, ids) => {
      const own = [...(await namesOf(tx, ids))].filter(([, { job }]) => job === viewer.job).map(([id]) => id);
      if (seesAll(viewer)) return new Set(own);
      const led = await ledBy(tx, viewer.job, viewer.characterId, this.#deps.clock.now());
      return new Set(own.filter((id) => led.has(id) || viewer.jobGroups?.includes(id)));
    },
  };

  /** Those of the viewer's job whose members the viewer may see. */
  async seeing(tx: Tx, viewer: Viewer, ids: readonly number[]): Promise<Set<number>> {
    const own = [...(await namesOf(tx, ids))].filter(([, { job }]) => job === viewer.job).map(([id]) => id);
    const led = await ledBy(tx, viewer.job, viewer.characterId, this.#deps.clock.now());
    return new Set(own.filter((id) => may(viewer, "see", { leads: led.has(id) })));
  }

  /** Of the job that the character is in now: groups of another one count when it is chosen. */
  async heldBy(characterId: number, job: string): Promise<readonly number[]> {
    const { db } = this.#deps;
    const load = async () =>
      await db.read("jobgroups.held", async (tx) =>
        (await heldGroups(tx, characterId)).map((one) => ({ id: one.group_id, job: one.job })),
      );
    return (await this.#held.get(characterId, load)).filter((one) => one.job === job).map(({ id }) => id);
  }

  listeners(): EventListener[] {
    return [
      listenTo({
        event: membersChanged,
        onEvent: ({ payload }) => payload.citizenIds.forEach((id) => this.#held.invalidate(id)),
        onMissed: () => this.#held.invalidateAll(),
      }),
    ];
  }
}

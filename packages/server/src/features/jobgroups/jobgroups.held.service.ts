import { CachedMap } from "#core/cached.ts";
import { type EventListener, listenTo } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { PrincipalKind } from "#features/accesslists/accesslists.api.ts";
import { membersChanged } from "./jobgroups.contract.ts";
import { heldGroups, postsOf } from "./jobgroups.members.repo.ts";
import { seesAll } from "./jobgroups.policy.ts";
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
    names: async (tx, ids) => new Map([...(await namesOf(tx, ids))].map(([id, { name }]) => [id, name])),
    /** Groups of other jobs are not named: an id that is tried would reveal a name. */
    async nameable(tx, viewer, ids) {
      const own = [...(await namesOf(tx, ids))].filter(([, { job }]) => job === viewer.job).map(([id]) => id);
      if (seesAll(viewer)) return new Set(own);
      const led = await postsOf(tx, "jobgroups_leaders", viewer.job, [viewer.characterId]);
      const part = new Set([...(viewer.jobGroups ?? []), ...led.map(({ group_id }) => group_id)]);
      return new Set(own.filter((id) => part.has(id)));
    },
  };

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

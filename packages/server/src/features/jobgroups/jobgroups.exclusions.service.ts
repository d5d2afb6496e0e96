import type { Viewer } from "#core/actor.ts";
import type { InputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { isDay, Zone } from "#core/zone.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { endExclusion, exclude, type Exclusion, jobgroupsErrors, mostExclusions } from "./jobgroups.contract.ts";
import * as repo from "./jobgroups.members.repo.ts";
import { requireAbility } from "./jobgroups.policy.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { FoundGroup, ShownGroups } from "./jobgroups.shown.service.ts";

export interface ExclusionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly resolver: Resolver;
  readonly shown: ShownGroups;
  /** Of the DSN's `loc`. */
  readonly zone: string;
}

/** Who is kept out of a group. */
export class GroupExclusions {
  readonly #deps: ExclusionsDeps;
  readonly #zone: Zone;

  constructor(deps: ExclusionsDeps) {
    this.#deps = deps;
    this.#zone = new Zone(deps.zone);
  }

  /** The day that ends with an instant; null for none. */
  lastDay(endsAt: number | null): string | null {
    return endsAt === null ? null : this.#zone.dayOf(endsAt - 1);
  }

  async list(viewer: Viewer, id: number): Promise<{ items: Exclusion[] }> {
    const { db, clock } = this.#deps;
    return await db.read("jobgroups.exclusions", async (tx) => {
      await this.#require(tx, viewer, id, "explain");
      return { items: await this.shown(tx, await repo.exclusionsIn(tx, id, clock.now(), mostExclusions)) };
    });
  }

  async exclude(call: CallContext, id: number, citizenId: number, sent: InputOf<typeof exclude>["body"]): Promise<Exclusion> {
    const { db, clock } = this.#deps;
    const viewer = call.viewer();
    const now = clock.now();
    const ends_at = sent.until === null ? null : this.#endOf(sent.until, now);
    return await db.write(exclude.id, async (tx) => {
      const found = await this.#require(tx, viewer, id, "exclude");
      if (!(await repo.gradesOf(tx, viewer.job, [citizenId])).has(citizenId)) throw new AppError(jobgroupsErrors.personUnknown);
      const running = await repo.exclusionsIn(tx, id, now, mostExclusions);
      if (running.length >= mostExclusions && !running.some(({ citizen_id }) => citizen_id === citizenId))
        throw new AppError(jobgroupsErrors.exclusionsFull, { params: { most: mostExclusions } });
      const row = {
        ...{ group_id: id, citizen_id: citizenId, job: viewer.job, reason: sent.reason.trim(), ends_at },
        ...{ added_by: viewer.characterId, added_at: now },
      };
      await repo.putExclusion(tx, row);
      await this.#changed(tx, call, exclude.id, found, citizenId, { until: sent.until ?? "" });
      return (await this.shown(tx, [row]))[0]!;
    });
  }

  async end(call: CallContext, id: number, citizenId: number): Promise<void> {
    const { db, clock } = this.#deps;
    const viewer = call.viewer();
    await db.write(endExclusion.id, async (tx) => {
      const found = await this.#require(tx, viewer, id, "exclude");
      const running = await repo.exclusionsIn(tx, id, clock.now(), mostExclusions);
      if (!running.some(({ citizen_id }) => citizen_id === citizenId)) return;
      await repo.removeExclusion(tx, id, citizenId);
      await this.#changed(tx, call, endExclusion.id, found, citizenId, {});
    });
  }

  /** In their order, with the names of people. */
  async shown(tx: Tx, rows: readonly repo.ExclusionRow[]): Promise<Exclusion[]> {
    const names = await namesOfCitizens(tx, [
      ...new Set(rows.flatMap(({ citizen_id, added_by }) => [citizen_id, ...(added_by === null ? [] : [added_by])])),
    ]);
    return rows.map((row) => ({
      citizen: { id: row.citizen_id, name: names.get(row.citizen_id) ?? `CIT-${row.citizen_id}` },
      reason: row.reason,
      until: this.lastDay(row.ends_at),
      by: row.added_by === null ? null : (names.get(row.added_by) ?? null),
      at: row.added_at,
    }));
  }

  #endOf(until: string, now: number): number {
    if (!isDay(until)) throw invalid("body.until", "must be a day that is in the calendar");
    const end = this.#zone.endOf(until);
    if (end <= now) throw new AppError(jobgroupsErrors.dayOver, { params: { day: until } });
    return end;
  }

  async #require(tx: Tx, viewer: Viewer, id: number, ability: "explain" | "exclude"): Promise<FoundGroup> {
    const found = await this.#deps.shown.find(tx, viewer, id);
    requireAbility(viewer, ability, found.relation);
    return found;
  }

  async #changed(
    tx: Tx,
    call: CallContext,
    action: string,
    { row }: FoundGroup,
    citizenId: number,
    more: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { audit, resolver } = this.#deps;
    const { job } = call.viewer();
    const person = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? `CIT-${citizenId}`;
    // Without the reason: not everybody who reads the audit log may know it.
    const object = { kind: "jobgroups.group", id: row.id, name: row.name };
    await audit.record(tx, call.actor, { action, object, info: { job, person, ...more } });
    await resolver.people(tx, job, [citizenId]);
    await resolver.announce(tx, job, [citizenId]);
  }
}

import type { Viewer } from "#core/actor.ts";
import { days, type InputOf, mostCounted, type OutputOf } from "#core/contract/index.ts";
import { invalid } from "#core/invalid.ts";
import { isDay } from "#core/zone.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import type { Activities, Happened } from "./colleagues.activity.service.ts";
import { colleaguesErrors, mostLabels, mostPeople } from "./colleagues.base.contract.ts";
import { colleaguesChanged } from "./colleagues.contract.ts";
import { type Effect, effectsOf, type Held, overfull, pairOf, undoOf } from "./colleagues.given.policy.ts";
import { changeLabels, expiringDays, type listExpiring } from "./colleagues.labels.contract.ts";
import * as labels from "./colleagues.labels.repo.ts";
import type { People } from "./colleagues.people.service.ts";
import { reachesNobody, reachOfField, requireChange } from "./colleagues.policy.ts";
import { peopleOf, type PersonRow } from "./colleagues.repo.ts";

export interface GivenDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly people: People;
  readonly activities: Activities;
  readonly jobgroups: Pick<JobgroupsApi, "peopleChanged">;
}

const mostShown = 50;

type Body = InputOf<typeof changeLabels>["body"];

/** What a call finds, with the people locked. */
interface Found {
  readonly people: ReadonlyMap<number, PersonRow>;
  readonly names: ReadonlyMap<number, string>;
  readonly labelNames: ReadonlyMap<number, string>;
  readonly held: ReadonlyMap<string, Held>;
}

/** Labels that colleagues have. */
export class GivenLabels {
  readonly #deps: GivenDeps;

  constructor(deps: GivenDeps) {
    this.#deps = deps;
  }

  async expiring(viewer: Viewer): Promise<OutputOf<typeof listExpiring>> {
    const { db, clock, people } = this.#deps;
    const reach = reachOfField(viewer, "labels");
    if (reachesNobody(reach)) return { total: 0, totalCapped: false, items: [] };
    const now = clock.now();
    const by = { characterId: viewer.characterId, reach };
    const wanted = { job: viewer.job, by, now, before: now + days(expiringDays) };
    return await db.read("colleagues.expiring", async (tx) => {
      const rows = await labels.ending(tx, wanted, mostShown);
      const count = rows.length < mostShown ? rows.length : await labels.countEnding(tx, wanted, mostCounted + 1);
      const names = await namesOfCitizens(tx, [...new Set(rows.map(({ citizen_id }) => citizen_id))]);
      const items = rows.map((row) => {
        return { id: row.citizen_id, name: names.get(row.citizen_id) ?? "", label: people.given(row), endsAt: row.ends_at ?? 0 };
      });
      return { total: Math.min(count, mostCounted), totalCapped: count > mostCounted, items };
    });
  }

  async change(call: CallContext, { changes, reason }: Body): Promise<OutputOf<typeof changeLabels>> {
    const { db, clock, people } = this.#deps;
    const viewer = call.viewer();
    const ids = [...new Set(changes.map(({ id }) => id))];
    if (ids.length > mostPeople) throw invalid("body.changes", `names more than ${mostPeople} people`);
    return await db.write(changeLabels.id, async (tx) => {
      const now = clock.now();
      const found = await this.#find(tx, viewer, ids, changes, now);
      for (const [id, { grade }] of found.people)
        requireChange(viewer, ["labels"], { id, grade, name: found.names.get(id) ?? "" });
      const effects = effectsOf(changes, found.held, (until) => this.#endOf(until, now));
      const over = overfull(effects, found.held, mostLabels);
      if (over !== null)
        throw new AppError(colleaguesErrors.tooManyLabels, { params: { name: found.names.get(over) ?? "", most: mostLabels } });
      if (effects.length > 0) await this.#save(tx, call, found, effects, { reason: reason.trim(), now });
      return { undo: effects.map((effect) => undoOf(effect, (endsAt) => people.lastDay(endsAt))) };
    });
  }

  #endOf(until: string, now: number): number {
    if (!isDay(until)) throw invalid("body.changes.until", "must be a day that is in the calendar");
    const end = this.#deps.people.zone.endOf(until);
    if (end <= now) throw new AppError(colleaguesErrors.dayOver, { params: { day: until } });
    return end;
  }

  async #find(tx: Tx, viewer: Viewer, ids: readonly number[], changes: Body["changes"], now: number): Promise<Found> {
    // First, as all who change labels of the job do: nobody waits for another one who waits for them.
    const live = (await labels.labelsOf(tx, viewer.job)).filter(({ deleted_at }) => deleted_at === null);
    const people = await peopleOf(tx, viewer.job, ids);
    if (people.size < ids.length) throw new AppError(colleaguesErrors.notFound);
    const labelNames = new Map(live.map(({ id, name }) => [id, name]));
    if (changes.some(({ label }) => !labelNames.has(label))) throw new AppError(colleaguesErrors.labelNotFound);
    const citizens = new Map([...people.values()].map((row) => [row.id, row.citizen_id]));
    const rows = await labels.heldBy(tx, [...citizens.keys()], now);
    const held = rows.map(({ id: label, colleague_id, name, ends_at }): [string, Held] => {
      return [pairOf({ id: citizens.get(colleague_id)!, label }), { name, endsAt: ends_at }];
    });
    return { people, names: await namesOfCitizens(tx, ids), labelNames, held: new Map(held) };
  }

  async #save(
    tx: Tx,
    call: CallContext,
    { people, names, labelNames }: Found,
    effects: readonly Effect[],
    { reason, now }: { readonly reason: string; readonly now: number },
  ): Promise<void> {
    const { activities, audit, outbox } = this.#deps;
    const viewer = call.viewer();
    const rowOf = ({ change: { id, label }, endsAt }: Effect) => {
      return { colleague_id: people.get(id)!.id, label_id: label, ends_at: endsAt };
    };
    await labels.give(tx, effects.filter(({ change }) => change.given).map(rowOf));
    await labels.take(tx, effects.filter(({ change }) => !change.given).map(rowOf));
    const sideOf = (label: number, endsAt: number | null) => {
      return { label: labelNames.get(label) ?? "", until: this.#deps.people.lastDay(endsAt) };
    };
    const happened = effects.map(({ change: { id, label, given }, endsAt, before }): Happened => {
      const person = { citizenId: id, job: viewer.job, grade: people.get(id)!.grade };
      const was = before === null ? {} : sideOf(label, before.endsAt);
      return given
        ? { ...person, kind: "labelGiven", before: was, after: sideOf(label, endsAt) }
        : { ...person, kind: "labelTaken", before: was, after: {} };
    });
    await activities.add(tx, happened, { viewer, reason }, now);
    for (const [id, own] of Map.groupBy(effects, ({ change }) => change.id)) {
      // Neither names nor the reason: a right says who reads the labels of somebody.
      const idsOf = (isGiven: boolean) => own.filter(({ change }) => change.given === isGiven).map(({ change }) => change.label);
      const object = { kind: "citizen", id, name: names.get(id) ?? "" };
      const info = { job: viewer.job, given: idsOf(true).join(", "), taken: idsOf(false).join(", ") };
      await audit.record(tx, call.actor, { action: changeLabels.id, object, info });
    }
    await outbox.emit(tx, colleaguesChanged, { key: "colleagues", version: now, payload: { jobs: [viewer.job], about: [] } });
    const changed = new Set(effects.map(({ change }) => change.id));
    await this.#deps.jobgroups.peopleChanged(tx, viewer.job, [...changed]);
  }
}

import type { Viewer } from "#core/actor.ts";
import type { InputOf, Page, PayloadOf } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import { mostCounted } from "#core/contract/index.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { absenceHappened } from "#features/absences/absences.contract.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import type { Activity, ActivitySide, listActivity } from "./colleagues.activity.contract.ts";
import * as repo from "./colleagues.activity.repo.ts";
import type { ActivityKind } from "./colleagues.base.contract.ts";
import { colleaguesChanged } from "./colleagues.contract.ts";
import { returnMs } from "./colleagues.follow.policy.ts";
import { kindsSeen, reachIn } from "./colleagues.policy.ts";
import { peopleOf } from "./colleagues.repo.ts";
import { type Recorded, sentBefore, togetherMs } from "./colleagues.sent.policy.ts";
import * as sentRepo from "./colleagues.sent.repo.ts";

export interface ActivitiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly jobs: Pick<JobsApi, "labels">;
}

type AbsenceHappened = PayloadOf<typeof absenceHappened>;

/** What happened to somebody. */
export interface Happened {
  readonly citizenId: number;
  readonly job: string;
  readonly grade: number;
  readonly kind: ActivityKind;
  readonly before: ActivitySide;
  readonly after: ActivitySide;
}

/** Who did it, and why; null for the game. */
export type Doer = { readonly viewer: Pick<Viewer, "characterId" | "characterName">; readonly reason: string | null } | null;

/** What Rollcall saw in the data of the game, with who asked for it here. */
export interface Seen extends Happened {
  readonly doer: Doer;
}

const doneBy = (doer: Doer) => ({
  actor_id: doer?.viewer.characterId ?? null,
  actor_name: doer?.viewer.characterName ?? null,
  reason: doer?.reason ?? null,
});

/** How `change` is stored. */
interface StoredChange {
  readonly v: 1;
  readonly before: ActivitySide;
  readonly after: ActivitySide;
}

const usualLimit = 50;

/** What happened to the people of a job. */
export class Activities {
  readonly #deps: ActivitiesDeps;

  constructor(deps: ActivitiesDeps) {
    this.#deps = deps;
  }

  async add(tx: Tx, happened: readonly Happened[], doer: Doer, at: number): Promise<void> {
    const by = { at, ...doneBy(doer) };
    const rows = happened.map(({ citizenId, job, grade, kind, before, after }) => {
      const change: StoredChange = { v: 1, before, after };
      return { job, citizen_id: citizenId, grade, kind, ...by, change: JSON.stringify(change), game_key: null };
    });
    await repo.insert(tx, rows);
  }

  /** What Rollcall saw in the data of the game: completes what the game has said of it already, and adds the others. */
  async addSeen(tx: Tx, seen: readonly Seen[], at: number): Promise<void> {
    const others = await this.#withoutSent(tx, seen, at);
    for (const { doer, ...one } of others) if (doer !== null) await this.add(tx, [one], doer, at);
    await this.add(
      tx,
      others.filter(({ doer }) => doer === null),
      null,
      at,
    );
  }

  async #withoutSent(tx: Tx, seen: readonly Seen[], at: number): Promise<Seen[]> {
    let recorded: readonly Recorded[] = await sentRepo.lockRecorded(
      tx,
      seen.map(({ citizenId }) => citizenId),
      at - togetherMs,
    );
    const others: Seen[] = [];
    for (const one of seen) {
      const sent = sentBefore(recorded, { ...one, actorId: one.doer?.viewer.characterId ?? null }, at);
      if (sent === null) others.push(one);
      else {
        recorded = recorded.filter(({ id }) => id !== sent.id);
        const change: StoredChange = { v: 1, before: one.before, after: one.after };
        // Who asked for it from here, and why, is known better here than in the game.
        const asked = one.doer === null ? {} : doneBy(one.doer);
        await sentRepo.complete(tx, sent.id, { ...asked, grade: one.grade, change: JSON.stringify(change), unseen: 0 });
      }
    }
    return others;
  }

  /** An absence that began to count or ended early, of somebody who works there. */
  async absence(tx: Tx, { citizenId, job, what, firstDay, lastDay, actorId }: AbsenceHappened, at: number): Promise<void> {
    const person = (await peopleOf(tx, job, [citizenId])).get(citizenId);
    if (person === undefined) return;
    const days = { firstDay, lastDay };
    const [before, after] = what === "entered" ? [{}, days] : [days, {}];
    const characterName = actorId === null ? undefined : (await namesOfCitizens(tx, [actorId])).get(actorId);
    const viewer = actorId === null ? null : { characterId: actorId, characterName: characterName ?? "" };
    const doer = viewer === null ? null : { viewer, reason: null };
    await this.add(tx, [{ citizenId, job, grade: person.grade, kind: "absence", before, after }], doer, at);
    await this.#deps.outbox.emit(tx, colleaguesChanged, { key: "colleagues", version: at, payload: { jobs: [job], about: [] } });
  }

  async list(viewer: Viewer, query: InputOf<typeof listActivity>["query"]): Promise<Page<Activity>> {
    const { cursor, limit = usualLimit, citizenId, kind } = query;
    const wanted: repo.ActivitiesWanted = {
      job: viewer.job,
      kinds: kindsSeen(viewer, kind),
      by: { characterId: viewer.characterId, reach: reachIn(viewer, "activity") },
      leftSince: this.#deps.clock.now() - returnMs,
      ...(citizenId === undefined ? {} : { citizenId }),
    };
    const below = cursor === undefined ? null : readCursor(cursor, "").id;
    return await this.#deps.db.read("colleagues.activity", async (tx) => {
      const rows = await repo.newest(tx, wanted, below, limit + 1);
      const isWhole = below === null && rows.length <= limit;
      const count = isWhole ? rows.length : await repo.count(tx, wanted, mostCounted + 1);
      const page = keysetPage({ rows, limit, count, cursorOf: idCursor });
      const names = await namesOfCitizens(tx, [...new Set(page.items.map(({ citizen_id }) => citizen_id))]);
      const labels = await this.#deps.jobs.labels(tx);
      return { ...page, items: page.items.map((row) => shown(row, names, labels)) };
    });
  }
}

function shown(row: repo.ActivityRow, names: ReadonlyMap<number, string>, labels: JobLabels): Activity {
  const { before, after } = JSON.parse(row.change) as StoredChange;
  const named = ({ grade, ...side }: ActivitySide): ActivitySide =>
    grade === undefined ? side : { ...side, grade, gradeLabel: labels.badge(row.job, grade).gradeLabel };
  return {
    id: row.id,
    at: row.at,
    kind: row.kind as ActivityKind,
    citizen: { id: row.citizen_id, name: names.get(row.citizen_id) ?? null },
    // The name of somebody who was removed for good is empty.
    actor: row.actor_id === null && row.actor_name === null ? null : { id: row.actor_id, name: row.actor_name || null },
    reason: row.reason,
    before: named(before),
    after: named(after),
  };
}

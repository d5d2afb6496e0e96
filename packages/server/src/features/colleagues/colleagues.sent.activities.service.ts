import { retryOnDuplicate } from "#core/db/retry.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { type CitizenName, citizenNames } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchResult } from "#features/sync/sync.contract.ts";
import { insert, type NewActivity } from "./colleagues.activity.repo.ts";
import {
  answerBatch,
  place,
  type Placed,
  type Rejected,
  rejectedFor,
  type Sent,
  type SentBatchDeps,
  unknownCharacter,
  usualSource,
} from "./colleagues.sent.batch.service.ts";
import { keyOf, nothingSeen, type Recorded, seenBefore, togetherMs } from "./colleagues.sent.policy.ts";
import * as repo from "./colleagues.sent.repo.ts";
import { SyncActivity, syncActivities } from "./colleagues.sync.contract.ts";

export interface SentActivitiesDeps extends SentBatchDeps {
  readonly db: Database;
  readonly sync: Pick<SyncApi, "sort">;
  readonly jobs: Pick<JobsApi, "list">;
}

/** What the game server reports of people in their jobs: who did something, and why. */
export class SentActivities {
  readonly #deps: SentActivitiesDeps;

  constructor(deps: SentActivitiesDeps) {
    this.#deps = deps;
  }

  async take(call: CallContext, { source = usualSource, items }: Sent): Promise<BatchResult> {
    const { db, sync } = this.#deps;
    const problemOf = ({ kind, text }: SyncActivity) =>
      kind === "remark" && (text?.trim() ?? "") === "" ? { field: "text", problem: "is needed for a remark" } : null;
    const sorted = sync.sort<SyncActivity>({ schema: SyncActivity, items, idOf: ({ key }) => key, firstWins: true, problemOf });
    // Two calls with one key at a time: the second finds the row of the first when it runs again.
    return await retryOnDuplicate(db, syncActivities.id, async (tx) => {
      const { placed, rejected } = await place(tx, sorted.valid);
      const jobs = await this.#store(tx, source, placed, rejected);
      return await answerBatch(tx, this.#deps, call, {
        action: syncActivities.id,
        source,
        items,
        jobs,
        about: [],
        rejected: [...sorted.rejected, ...rejected],
      });
    });
  }

  /** The job of each that was stored; adds to `rejected`. */
  async #store(tx: Tx, source: string, placed: readonly Placed<SyncActivity>[], rejected: Rejected[]): Promise<string[]> {
    const at = this.#deps.clock.now();
    const known = new Set((await this.#deps.jobs.list(tx)).map(({ name }) => name));
    const citizenIds = [...new Set(placed.map(({ citizenId }) => citizenId))];
    let recorded: readonly Recorded[] = await repo.lockRecorded(tx, citizenIds, at - togetherMs);
    const repeated = await repo.sentKeys(
      tx,
      placed.map(({ item }) => keyOf(source, item.key)),
    );
    const doers = await citizenNames(tx, [...new Set(placed.flatMap(({ item }) => item.by ?? []))]);
    const fresh: NewActivity[] = [];
    const touched: string[] = [];
    for (const { sent, item, citizenId, row } of placed) {
      const { job, kind } = item;
      const doer = item.by == null ? null : doers.get(item.by);
      if (repeated.has(keyOf(source, item.key))) continue;
      if (!known.has(job)) rejected.push(rejectedFor(sent, "job", "is not a job that the game has sent"));
      else if (doer === undefined) rejected.push(rejectedFor(sent, "by", unknownCharacter));
      else {
        touched.push(job);
        const said = saidOf(item, doer, keyOf(source, item.key));
        const seen = seenBefore(recorded, { citizenId, job, kind, actorId: doer?.id ?? null }, at);
        if (seen === null) {
          const grade = row?.grade ?? 0;
          fresh.push({ ...said, job, citizen_id: citizenId, grade, kind, at, change: nothingSeen, unseen: 1 });
        } else {
          recorded = recorded.filter(({ id }) => id !== seen.id);
          // Who asked for it from here, and why, is known already.
          await repo.complete(tx, seen.id, seen.actor_id === null ? said : { game_key: said.game_key });
        }
      }
    }
    await insert(tx, fresh);
    return touched;
  }
}

function saidOf({ text }: SyncActivity, doer: CitizenName | null, key: string) {
  return { game_key: key, actor_id: doer?.id ?? null, actor_name: doer?.name ?? null, reason: text?.trim() || null };
}

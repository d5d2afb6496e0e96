import type { CallContext } from "#core/feature.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type CitizenName, citizenNames } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchItem } from "#features/sync/sync.batch.api.ts";
import { type BatchResult, syncErrors } from "#features/sync/sync.contract.ts";
import { insert, type NewActivity } from "./colleagues.activity.repo.ts";
import type { Activities, Happened } from "./colleagues.activity.service.ts";
import { colleaguesChanged } from "./colleagues.contract.ts";
import { lockAll, type WholeRow, write } from "./colleagues.repo.ts";
import { keyOf, nothingSeen, type Recorded, seenBefore, togetherMs } from "./colleagues.sent.policy.ts";
import * as sentRepo from "./colleagues.sent.repo.ts";
import { SyncActivity, syncActivities, SyncColleague, syncColleagues } from "./colleagues.sync.contract.ts";

export interface SentByGameDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: Pick<AuditApi, "recordFolded">;
  readonly sync: Pick<SyncApi, "sort">;
  readonly jobs: Pick<JobsApi, "list">;
  readonly activities: Activities;
}

interface Sent {
  readonly source?: string;
  readonly items: readonly unknown[];
}

type Rejected = BatchResult["rejected"][number];

/** An item with whom it is about. */
interface Placed<Item> {
  readonly sent: BatchItem<Item>;
  readonly item: Item;
  readonly citizenId: number;
  readonly row: WholeRow | undefined;
}

const usualSource = "default";

const rejectedFor = ({ id, index }: BatchItem<unknown>, field: string, problem: string): Rejected => {
  return { index, id: id.slice(0, 64), code: syncErrors.itemInvalid.code, message: `${field} ${problem}` };
};

/** What the game server says of the people of jobs. */
export class SentByGame {
  readonly #deps: SentByGameDeps;

  constructor(deps: SentByGameDeps) {
    this.#deps = deps;
  }

  async properties(call: CallContext, { source = usualSource, items }: Sent): Promise<BatchResult> {
    const { db, clock, sync, activities } = this.#deps;
    const idOf = ({ job, identifier }: SyncColleague) => `${job} ${identifier}`;
    const sorted = sync.sort<SyncColleague>({ schema: SyncColleague, items, idOf });
    return await db.write(syncColleagues.id, async (tx) => {
      const { placed, rejected } = await place(tx, sorted.valid);
      const changes = placed.flatMap(({ sent, item, row }) => {
        if (row === undefined || row.left_at !== null) {
          rejected.push(
            rejectedFor(sent, "job", `is ${item.job}, where this character does not work as far as Rollcall knows yet`),
          );
          return [];
        }
        return changed(row, item) ?? [];
      });
      await write(
        tx,
        changes.map(({ row }) => row),
      );
      await activities.add(
        tx,
        changes.flatMap(({ happened }) => happened),
        null,
        clock.now(),
      );
      const jobs = changes.map(({ row }) => row.job);
      return await this.#answer(tx, call, syncColleagues.id, { source, items, jobs }, changes.length, [
        ...sorted.rejected,
        ...rejected,
      ]);
    });
  }

  async activities(call: CallContext, { source = usualSource, items }: Sent): Promise<BatchResult> {
    const { db, clock, sync, jobs } = this.#deps;
    const problemOf = ({ kind, text }: SyncActivity) =>
      kind === "remark" && (text?.trim() ?? "") === "" ? { field: "text", problem: "is needed for a remark" } : null;
    const sorted = sync.sort<SyncActivity>({ schema: SyncActivity, items, idOf: ({ key }) => key, problemOf });
    // Two calls with one key at a time: the second finds the row of the first when it runs again.
    return await retryOnDuplicate(db, syncActivities.id, async (tx) => {
      const at = clock.now();
      const known = new Set((await jobs.list(tx)).map(({ name }) => name));
      const { placed, rejected } = await place(tx, sorted.valid);
      const citizenIds = [...new Set(placed.map(({ citizenId }) => citizenId))];
      let recorded: readonly Recorded[] = await sentRepo.lockRecorded(tx, citizenIds, at - togetherMs);
      const repeated = await sentRepo.sentKeys(
        tx,
        placed.map(({ item }) => keyOf(source, item.key)),
      );
      const doers = await citizenNames(tx, [...new Set(placed.flatMap(({ item }) => item.by ?? []))]);
      const fresh: NewActivity[] = [];
      const touched: string[] = [];
      for (const { sent, item, citizenId, row } of placed) {
        const doer = item.by == null ? null : doers.get(item.by);
        if (repeated.has(keyOf(source, item.key))) continue;
        if (!known.has(item.job)) rejected.push(rejectedFor(sent, "job", "is not a job that the game has sent"));
        else if (doer === undefined) rejected.push(rejectedFor(sent, "by", "is no character that the game has sent"));
        else {
          const seen = seenBefore(recorded, { citizenId, job: item.job, kind: item.kind }, at);
          const said = saidOf(item, doer, keyOf(source, item.key));
          touched.push(item.job);
          if (seen === null)
            fresh.push({
              ...said,
              job: item.job,
              citizen_id: citizenId,
              grade: row?.grade ?? 0,
              kind: item.kind,
              at,
              change: nothingSeen,
            });
          else {
            recorded = recorded.filter(({ id }) => id !== seen.id);
            await sentRepo.complete(tx, seen.id, said);
          }
        }
      }
      await insert(tx, fresh);
      return await this.#answer(tx, call, syncActivities.id, { source, items, jobs: touched }, touched.length, [
        ...sorted.rejected,
        ...rejected,
      ]);
    });
  }

  async #answer(
    tx: Tx,
    call: CallContext,
    action: string,
    { source, items, jobs }: { readonly source: string; readonly items: readonly unknown[]; readonly jobs: readonly string[] },
    accepted: number,
    all: readonly Rejected[],
  ): Promise<BatchResult> {
    const { audit, outbox, clock } = this.#deps;
    await audit.recordFolded(tx, call.actor, { action, object: { kind: "source", id: source } });
    if (jobs.length > 0)
      await outbox.emit(tx, colleaguesChanged, {
        key: "colleagues",
        version: clock.now(),
        payload: { jobs: [...new Set(jobs)] },
      });
    const rejected = all.toSorted((a, b) => a.index - b.index);
    const answer = { accepted, unchanged: items.length - rejected.length - accepted, rejected };
    await call.keepAnswer(tx, answer);
    return answer;
  }
}

/** Whom the items are about, locked in the order of their ids. */
async function place<Item extends { readonly identifier: string; readonly job: string }>(
  tx: Tx,
  valid: readonly BatchItem<Item>[],
) {
  const people = await citizenNames(tx, [...new Set(valid.map(({ item }) => item.identifier))]);
  const rows = await lockAll(
    tx,
    [...people.values()].map(({ id }) => id),
  );
  const byPlace = new Map(rows.map((row) => [`${row.citizen_id} ${row.job}`, row]));
  const rejected: Rejected[] = [];
  const placed = valid.flatMap((sent): Placed<Item>[] => {
    const { item } = sent;
    const person = people.get(item.identifier);
    if (person !== undefined) return [{ sent, item, citizenId: person.id, row: byPlace.get(`${person.id} ${item.job}`) }];
    rejected.push(rejectedFor(sent, "identifier", "is no character that the game has sent"));
    return [];
  });
  return { placed, rejected };
}

const written = (sent: string | null | undefined, stored: string | null): string | null =>
  sent === undefined ? stored : sent?.trim() || null;

/** The row as it is to be, with what happened; null where nothing changes. */
function changed(row: WholeRow, item: SyncColleague): { readonly row: WholeRow; readonly happened: readonly Happened[] } | null {
  const note = written(item.note, row.note);
  const prefix = written(item.prefix, row.name_prefix);
  const suffix = written(item.suffix, row.name_suffix);
  const about = { citizenId: row.citizen_id, job: row.job, grade: row.grade };
  const isNamed = prefix !== row.name_prefix || suffix !== row.name_suffix;
  const isNoted = note !== row.note;
  if (!isNamed && !isNoted) return null;
  const before = { prefix: row.name_prefix, suffix: row.name_suffix };
  return {
    row: { ...row, note, name_prefix: prefix, name_suffix: suffix, version: row.version + 1 },
    happened: [
      ...(isNoted ? [{ ...about, kind: "note", before: {}, after: {} } as const] : []),
      ...(isNamed ? [{ ...about, kind: "name", before, after: { prefix, suffix } } as const] : []),
    ],
  };
}

function saidOf({ text }: SyncActivity, doer: CitizenName | null, key: string) {
  return { game_key: key, actor_id: doer?.id ?? null, actor_name: doer?.name ?? null, reason: text?.trim() || null };
}

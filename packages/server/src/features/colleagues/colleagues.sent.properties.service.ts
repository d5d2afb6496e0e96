import type { CallContext } from "#core/feature.ts";
import type { Database } from "#core/ports/index.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchResult } from "#features/sync/sync.contract.ts";
import type { Activities, Happened } from "./colleagues.activity.service.ts";
import { type WholeRow, write } from "./colleagues.repo.ts";
import { answerBatch, place, rejectedFor, type Sent, type SentBatchDeps, usualSource } from "./colleagues.sent.batch.service.ts";
import { SyncColleague, syncColleagues } from "./colleagues.sync.contract.ts";

export interface SentPropertiesDeps extends SentBatchDeps {
  readonly db: Database;
  readonly sync: Pick<SyncApi, "sort">;
  readonly activities: Activities;
}

/** What the game server writes of people in their jobs: prefix, suffix and note. */
export class SentProperties {
  readonly #deps: SentPropertiesDeps;

  constructor(deps: SentPropertiesDeps) {
    this.#deps = deps;
  }

  async take(call: CallContext, { source = usualSource, items }: Sent): Promise<BatchResult> {
    const { db, clock, sync, activities } = this.#deps;
    const sorted = sync.sort<SyncColleague>({ schema: SyncColleague, items, idOf });
    return await db.write(syncColleagues.id, async (tx) => {
      const { placed, rejected } = await place(tx, sorted.valid);
      const changes = placed.flatMap(({ sent, item, row }) => {
        if (row !== undefined && row.left_at === null) return changed(row, item) ?? [];
        const problem = `is ${item.job}, where this character does not work as far as Rollcall knows yet`;
        rejected.push(rejectedFor(sent, "job", problem));
        return [];
      });
      await write(
        tx,
        changes.map(({ row }) => row),
      );
      const happened = changes.flatMap((one) => one.happened);
      await activities.add(tx, happened, null, clock.now());
      return await answerBatch(tx, this.#deps, call, {
        action: syncColleagues.id,
        source,
        items,
        jobs: changes.map(({ row }) => row.job),
        about: happened.some(({ kind }) => kind === "name") ? ["names"] : [],
        rejected: [...sorted.rejected, ...rejected],
      });
    });
  }
}

const written = (sent: string | null | undefined, stored: string | null): string | null =>
  sent === undefined ? stored : sent?.trim() || null;

/** Throws for an item of another shape, which is answered without an id. */
function idOf({ job, identifier }: Partial<SyncColleague>): string {
  if (job === undefined || identifier === undefined) throw new TypeError("the item names nobody in a job");
  return `${job} ${identifier}`;
}

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

import type { CallContext } from "#core/feature.ts";
import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { citizenNames } from "#features/citizens/citizens.reads.ts";
import type { BatchItem } from "#features/sync/sync.batch.api.ts";
import { type BatchResult, syncErrors } from "#features/sync/sync.contract.ts";
import { type ChangedPart, colleaguesChanged } from "./colleagues.contract.ts";
import { lockAll, type WholeRow } from "./colleagues.repo.ts";

export interface SentBatchDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: Pick<AuditApi, "recordFolded">;
}

export interface Sent {
  readonly source?: string;
  readonly items: readonly unknown[];
}

export type Rejected = BatchResult["rejected"][number];

/** An item with whom it is about. */
export interface Placed<Item> {
  readonly sent: BatchItem<Item>;
  readonly item: Item;
  readonly citizenId: number;
  readonly row: WholeRow | undefined;
}

/** What became of a batch. */
interface Outcome {
  readonly action: string;
  readonly source: string;
  /** Sent, in all. */
  readonly items: readonly unknown[];
  /** One for each item that changed something. */
  readonly jobs: readonly string[];
  readonly about: readonly ChangedPart[];
  readonly rejected: readonly Rejected[];
}

export const usualSource = "default";

/** Behind the field that names one. */
export const unknownCharacter = "names no character that Rollcall knows: the game has not sent it yet, or it was deleted";

export const rejectedFor = ({ id, index }: BatchItem<unknown>, field: string, problem: string): Rejected => {
  return { index, id: id.slice(0, 64), code: syncErrors.itemInvalid.code, message: `${field} ${problem}` };
};

/** Whom the items are about, locked in the order of their ids. */
export async function place<Item extends { readonly identifier: string; readonly job: string }>(
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
    rejected.push(rejectedFor(sent, "identifier", unknownCharacter));
    return [];
  });
  return { placed, rejected };
}

/** Records, publishes and answers what became of a batch. */
export async function answerBatch(
  tx: Tx,
  { audit, outbox, clock }: SentBatchDeps,
  call: CallContext,
  { action, source, items, jobs, about, rejected: all }: Outcome,
): Promise<BatchResult> {
  await audit.recordFolded(tx, call.actor, { action, object: { kind: "source", id: source } });
  if (jobs.length > 0)
    await outbox.emit(tx, colleaguesChanged, {
      key: "colleagues",
      version: clock.now(),
      payload: { jobs: [...new Set(jobs)], about: [...about] },
    });
  const rejected = all.toSorted((a, b) => a.index - b.index);
  const answer = { accepted: jobs.length, unchanged: items.length - rejected.length - jobs.length, rejected };
  await call.keepAnswer(tx, answer);
  return answer;
}

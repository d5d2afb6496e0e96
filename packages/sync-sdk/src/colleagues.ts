import { randomBytes } from "node:crypto";
import { cut } from "./chunks.ts";
import { type Delivery, keyOf } from "./delivery.ts";
import type { ColleaguesSyncActivitiesBody, ColleaguesSyncBody, ColleaguesSyncStaffOutput } from "./generated/types.ts";
import { operations } from "./generated/types.ts";
import { SyncError } from "./errors.ts";
import { addResult, nothingSent, type BatchResult, type SendResult } from "./results.ts";
import { withRetries, type RetryContext } from "./retry.ts";
import type { Transport } from "./transport.ts";

export type Colleague = ColleaguesSyncBody["items"][number];
export type ColleagueActivity = ColleaguesSyncActivitiesBody["items"][number];
export type StaffMember = ColleaguesSyncStaffOutput["items"][number];

/**
 * People in their jobs. What was sent before goes first, because the people have to be there. None of these calls waits
 * in the queue on disk: each resolves with what the server answered, or throws `SyncError` after the last attempt.
 */
export interface ColleaguesClient {
  /** Changes prefix, suffix or note; what an item leaves out stays, and null erases. */
  change(items: readonly Colleague[]): Promise<SendResult>;
  /** Reports what happened to people in their jobs. One whose `key` was sent before changes nothing. */
  report(items: readonly ColleagueActivity[]): Promise<SendResult>;
  /** Everybody in a job, read page by page. */
  list(job: string): Promise<StaffMember[]>;
}

export interface ColleaguesOptions {
  readonly transport: Transport;
  readonly delivery: Pick<Delivery, "freshLimits">;
  readonly context: RetryContext;
  readonly source: string;
  /** Sends what waits. */
  readonly flush: () => Promise<void>;
}

type Sent = "colleagues.sync" | "colleagues.syncActivities";

export function createColleagues({ transport, delivery, context, source, flush }: ColleaguesOptions): ColleaguesClient {
  async function send(operation: Sent, items: readonly (Colleague | ColleagueActivity)[]): Promise<SendResult> {
    if (items.length === 0) return nothingSent;
    await flush();
    const { method, path, maxItems } = operations[operation];
    const limits = await delivery.freshLimits(context);
    const { chunks, unfit } = cut(items, { items: Math.min(maxItems, limits.batchItems), bytes: limits.bodyBytes });
    const name = randomBytes(16).toString("hex");
    let sum = nothingSent;
    for (const { offset, items: some } of chunks) {
      const body = `{"source":${JSON.stringify(source)},"items":[${some.join(",")}]}`;
      const key = keyOf(`${name} ${offset}`, path, body);
      try {
        const result = (await withRetries(context, () => transport.call(method, path, body, { key }))) as BatchResult;
        sum = addResult(sum, result, offset);
      } catch (error) {
        // What was stored of earlier parts is not sent again by a caller who knows it.
        if (error instanceof SyncError) error.partial ??= sum;
        throw error;
      }
    }
    const rejected = unfit.map((one) => ({ ...one, id: items[one.index]?.identifier ?? null }));
    const all = [...sum.rejected, ...rejected].sort((a, b) => a.index - b.index);
    if (all.length > 0) context.emit({ type: "rejected", operation, rejected: all });
    return { ...sum, rejected: all };
  }

  return {
    change: async (items) => await send("colleagues.sync", items),
    report: async (items) => await send("colleagues.syncActivities", items),
    async list(job) {
      const { method, path } = operations["colleagues.syncStaff"];
      const all: StaffMember[] = [];
      let next: string | null = null;
      const seen = new Set<string>();
      do {
        const query = new URLSearchParams({ job, ...(next !== null && { cursor: next }) }).toString();
        const page = (await withRetries(context, () =>
          transport.call(method, `${path}?${query}`, null),
        )) as ColleaguesSyncStaffOutput;
        all.push(...page.items);
        if (page.next !== null && seen.has(page.next))
          throw new SyncError(`${path}: the server answers the page ${page.next} again and again`, { code: "client.answer" });
        next = page.next;
        if (next !== null) seen.add(next);
      } while (next !== null);
      return all;
    },
  };
}

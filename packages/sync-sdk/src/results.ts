import type { CitizensSyncOutput } from "./generated/types.ts";

export type BatchResult = CitizensSyncOutput & { readonly late?: number };

/** An item that the server did not store; `index` is its position in what the caller passed. */
export type RejectedItem = BatchResult["rejected"][number];

export interface SendResult {
  /** Items that changed something. */
  readonly accepted: number;
  /** Items equal to what was stored. */
  readonly unchanged: number;
  readonly rejected: readonly RejectedItem[];
  /** Items that wait in the queue on disk; always 0 without `queueDir`. */
  readonly queued: number;
  /** Of events of duty: those that came too late to change who is on duty now. Left out when there are none. */
  readonly late?: number;
}

export const nothingSent: SendResult = { accepted: 0, unchanged: 0, rejected: [], queued: 0 };

/** Adds the result of items that started at `offset` in what the caller passed. */
export function addResult(sum: SendResult, result: BatchResult, offset: number): SendResult {
  const late = (sum.late ?? 0) + (result.late ?? 0);
  return {
    accepted: sum.accepted + result.accepted,
    unchanged: sum.unchanged + result.unchanged,
    rejected: [...sum.rejected, ...result.rejected.map((one) => ({ ...one, index: one.index + offset }))],
    queued: sum.queued,
    ...(late > 0 && { late }),
  };
}

import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { usualRules } from "./calls.contract.ts";
import type { CallsTables } from "./calls.schema.ts";

/** All calls that are kept. */
export const callIds = (tx: Tx) => queries<CallsTables>(tx).selectFrom("calls").select("calls.id");

/** The jobs that dispatch an open call that this grade of a job sees, too. */
export async function jobsDispatchingWith(
  tx: Tx,
  { job, grade }: { readonly job: string; readonly grade: number },
  now: number,
): Promise<string[]> {
  const rows = await queries<CallsTables>(tx)
    .selectFrom("calls_jobs as own")
    .innerJoin("calls", "calls.id", "own.call_id")
    .innerJoin("calls_jobs as other", "other.call_id", "own.call_id")
    .select("other.job")
    .distinct()
    .where("own.job", "=", job)
    .where("own.min_grade", "<=", grade)
    .where("calls.archived_at", "is", null)
    .where("calls.state", "=", "open")
    .where("other.job", "!=", job)
    .where("other.level", "=", "dispatch")
    .where((e) => e.or([e("other.expires_at", "is", null), e("other.expires_at", ">", now)]))
    .where((e) => e.or([e("own.expires_at", "is", null), e("own.expires_at", ">", now)]))
    .orderBy("other.job")
    .execute();
  return rows.map((row) => row.job);
}

/** An open call without what anybody said about it, or who. */
export interface OpenCall {
  readonly id: number;
  readonly priority: number;
  readonly isPanic: boolean;
  readonly type: { readonly code: string; readonly name: string } | null;
  readonly postal: string | null;
  readonly waitingSince: number;
}

/** Open calls that this job dispatches, the most urgent first, and in each priority the one that waits longest. */
export async function openCallsOf(tx: Tx, job: string, now: number): Promise<OpenCall[]> {
  const rows = await queries<CallsTables>(tx)
    .selectFrom("calls")
    .innerJoin("calls_jobs as own", "own.call_id", "calls.id")
    .leftJoin("calls_types as type", "type.id", "calls.type_id")
    .select(["calls.id", "calls.priority", "calls.kind", "calls.postal", "calls.waiting_since", "type.code", "type.name"])
    .where("own.job", "=", job)
    .where("own.level", "=", "dispatch")
    .where((e) => e.or([e("own.expires_at", "is", null), e("own.expires_at", ">", now)]))
    .where("calls.archived_at", "is", null)
    .where("calls.state", "=", "open")
    .orderBy("calls.priority")
    .orderBy("calls.waiting_since")
    .orderBy("calls.id")
    .execute();
  return rows.map(({ id, priority, kind, postal, waiting_since: waitingSince, code, name }) => ({
    ...{ id, priority, isPanic: kind === "panic", postal, waitingSince },
    type: code === null || name === null ? null : { code, name },
  }));
}

/** After this time a call of the job is late. Seconds. */
export async function waitSecondsOf(tx: Tx, job: string): Promise<number> {
  const rules = queries<CallsTables>(tx).selectFrom("calls_rules").select("wait_seconds").where("job", "=", job);
  return (await rules.executeTakeFirst())?.wait_seconds ?? usualRules.waitSeconds;
}

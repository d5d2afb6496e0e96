import { bulkInsert, dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { FoldCandidate } from "./calls.fold.policy.ts";
import { callsFolds, type CallsTables } from "./calls.schema.ts";

const db = (tx: Tx) => queries<CallsTables>(tx);

/** Alerts of the same type and jobs take turns: a call that does not exist yet has no row to lock. */
export async function lockFold(tx: Tx, key: string, now: number): Promise<void> {
  await bulkInsert(tx, callsFolds, [{ fold_key: key, at: now }], { onConflict: { keys: ["fold_key"], update: ["at"] } });
  await dialectOf(tx)
    .lock(db(tx).selectFrom("calls_folds").select("fold_key").where("fold_key", "=", key))
    .execute();
}

/** Open calls of the same type and jobs whose last alert is no older than an instant; locked, so that none of them ends meanwhile. */
export async function candidates(tx: Tx, key: string, since: number): Promise<FoldCandidate[]> {
  const select = db(tx)
    .selectFrom("calls")
    .select(["id", "x", "y"])
    .where("fold_key", "=", key)
    .where("last_alert_at", ">=", since)
    .where("state", "=", "open")
    .orderBy("id");
  const rows = await dialectOf(tx).lock(select).execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const callers = await db(tx)
    .selectFrom("calls_callers")
    .select(["call_id", "citizen_id", "anonymous"])
    .where("call_id", "in", ids)
    .execute();
  const byCall = Map.groupBy(callers, ({ call_id }) => call_id);
  return rows.map((row) => ({
    ...row,
    callers: (byCall.get(row.id) ?? []).map(({ citizen_id: citizenId, anonymous }) => ({
      citizenId,
      anonymous: anonymous === 1,
    })),
  }));
}

/** Of these calls, the latest first. */
export async function alertsOf(tx: Tx, callIds: readonly number[], limit: number) {
  return await db(tx)
    .selectFrom("calls_alerts")
    .selectAll()
    .where("call_id", "in", callIds)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** What somebody who called under their name said last, by call. */
export async function saidBy(tx: Tx, callIds: readonly number[], citizenId: number): Promise<Map<number, string>> {
  if (callIds.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("calls_alerts")
    .innerJoin("calls_callers", "calls_callers.id", "calls_alerts.caller_id")
    .select(["calls_alerts.call_id", "calls_alerts.message"])
    .where("calls_callers.call_id", "in", callIds)
    .where("calls_callers.citizen_id", "=", citizenId)
    .where("calls_callers.anonymous", "=", 0)
    .orderBy("calls_alerts.id")
    .execute();
  return new Map(rows.map(({ call_id, message }) => [call_id, message]));
}

export const removeFolds = pruneOlder(callsFolds, "at");

import type { AuditEntry, AuditRow } from "./audit.contract.ts";
import type { StoredEntry } from "./audit.repo.ts";

/** An entry as the contract lists it. */
export function rowOf(entry: StoredEntry): AuditRow {
  const { object_kind, object_id, target_kind, target_id } = entry;
  return {
    id: entry.id,
    at: entry.at,
    actor: {
      kind: entry.actor_kind as AuditRow["actor"]["kind"],
      name: entry.actor_name,
      accountId: entry.account_id,
      characterId: entry.character_id,
      characterName: entry.character_name,
      job: entry.job,
      grade: entry.grade,
      adminReason: entry.admin_reason,
      seenAs: entry.seen_as,
    },
    address: entry.address,
    program: entry.user_agent,
    traceId: entry.trace_id,
    action: entry.action,
    result: entry.result as AuditRow["result"],
    object: object_kind === null ? null : { kind: object_kind, id: object_id ?? "", name: entry.object_name },
    target:
      target_kind === null || target_id === null
        ? null
        : { kind: target_kind as "citizen" | "account", id: target_id, name: entry.target_name },
    folded: entry.folded,
  };
}

/** An entry as the contract sends it alone, with what was changed. */
export function entryOf(entry: StoredEntry): AuditEntry {
  const data = (entry.data === null ? {} : JSON.parse(entry.data)) as Pick<AuditEntry, "before" | "after" | "info">;
  const { before, after, info } = data;
  const parts = Object.entries({ before, after, info }).filter(([, value]) => value !== undefined);
  return { ...rowOf(entry), ...Object.fromEntries(parts) };
}

/** The ids of this kind that entries hold without a name. */
export function namesWanted(rows: readonly AuditRow[], kind: string): number[] {
  const ids = rows.flatMap(({ object, target }) => [
    ...(object?.kind === kind && object.name === null && /^\d+$/.test(object.id) ? [Number(object.id)] : []),
    ...(target?.kind === kind && target.name === null ? [target.id] : []),
  ]);
  return [...new Set(ids)];
}

/** A name that the entry itself holds stays: it is what the person or object was called then. */
export function withNames<Row extends AuditRow>(row: Row, names: ReadonlyMap<string, ReadonlyMap<number, string>>): Row {
  const { object, target } = row;
  return {
    ...row,
    object: object && { ...object, name: object.name ?? names.get(object.kind)?.get(Number(object.id)) ?? null },
    target: target && { ...target, name: target.name ?? names.get(target.kind)?.get(target.id) ?? null },
  };
}

import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Entry } from "./accesslists.policy.ts";
import { keyOf } from "./accesslists.policy.ts";
import { changedGrants, type Grant } from "./accesslists.principals.policy.ts";
import type { AccesslistTables } from "./accesslists.schema.ts";

/** Entries by the id of their object. */
export async function readEntries(tx: Tx, kind: string, ids: readonly number[]): Promise<Map<number, Entry[]>> {
  const found = new Map<number, Entry[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await queries<AccesslistTables>(tx)
    .selectFrom("accesslists_entries")
    .selectAll()
    .where("object_kind", "=", kind)
    .where("object_id", "in", ids)
    .execute();
  for (const row of rows) {
    found.get(row.object_id)?.push({
      subject: row.subject_kind as Entry["subject"],
      job: row.job,
      minGrade: row.min_grade,
      id: row.subject_id,
      level: row.level,
      required: row.required_level,
    });
  }
  return found;
}

/** With their grants. */
export async function deleteLists(tx: Tx, kind: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ["accesslists_entries", "accesslists_grants"] as const) {
    const rows = queries<AccesslistTables>(tx).deleteFrom(table);
    await rows.where("object_kind", "=", kind).where("object_id", "in", ids).execute();
  }
}

export interface ListOf {
  readonly kind: string;
  readonly id: number;
  readonly entries: readonly Entry[];
  /** What the entries and the object's rules grant. */
  readonly grants: readonly Grant[];
}

/** Writes what differs from the stored list of one object, whose entries were `before`. */
export async function writeList(tx: Tx, before: readonly Entry[], list: ListOf): Promise<void> {
  await writeEntries(tx, before, list);
  await writeGrants(tx, list);
}

const sameEntry = (a: Entry | undefined, b: Entry) => a?.level === b.level && a.required === b.required;

async function writeEntries(tx: Tx, before: readonly Entry[], { kind, id, entries }: ListOf): Promise<void> {
  const stored = new Map(before.map((entry) => [keyOf(entry), entry]));
  const put = entries.filter((entry) => !sameEntry(stored.get(keyOf(entry)), entry));
  for (const entry of entries) stored.delete(keyOf(entry));
  const db = queries<AccesslistTables>(tx);
  const gone = [...stored.values()];
  if (gone.length > 0)
    await db
      .deleteFrom("accesslists_entries")
      .where("object_kind", "=", kind)
      .where("object_id", "=", id)
      .where((e) =>
        e.or(
          gone.map(({ subject, job, minGrade, id: subjectId }) =>
            e.and({ subject_kind: subject, job, min_grade: minGrade, subject_id: subjectId }),
          ),
        ),
      )
      .execute();
  if (put.length === 0) return;
  const rows = put.map((entry) => ({
    object_kind: kind,
    object_id: id,
    subject_kind: entry.subject,
    job: entry.job,
    min_grade: entry.minGrade,
    subject_id: entry.id,
    level: entry.level,
    required_level: entry.required,
  }));
  const keys = ["object_kind", "object_id", "subject_kind", "job", "min_grade", "subject_id"];
  const dialect = dialectOf(tx);
  await dialect.upsert(db.insertInto("accesslists_entries").values(rows), keys, ["level", "required_level"]).execute();
  const known = new Set(before.map(keyOf));
  const named = put.filter((entry) => entry.subject === "job" && !known.has(keyOf(entry)));
  if (named.length === 0) return;
  const grades = named.map(({ job, minGrade }) => ({ object_kind: kind, job, min_grade: minGrade }));
  await dialect.ignoreConflicts(db.insertInto("accesslists_grades").values(grades)).execute();
}

/** Compared with the stored grants and not with the entries before, because the rules may have changed as well. */
async function writeGrants(tx: Tx, { kind, id, grants }: ListOf): Promise<void> {
  const db = queries<AccesslistTables>(tx);
  const before = await db
    .selectFrom("accesslists_grants")
    .select(["principal", "level"])
    .where("object_kind", "=", kind)
    .where("object_id", "=", id)
    .execute();
  const { removed, put } = changedGrants(before, grants);
  if (removed.length > 0)
    await db
      .deleteFrom("accesslists_grants")
      .where("object_kind", "=", kind)
      .where("object_id", "=", id)
      .where("principal", "in", removed)
      .execute();
  if (put.length === 0) return;
  const rows = db.insertInto("accesslists_grants").values(put.map((grant) => ({ object_kind: kind, object_id: id, ...grant })));
  await dialectOf(tx).upsert(rows, ["object_kind", "object_id", "principal"], ["level"]).execute();
}

import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Entry } from "./accesslists.policy.ts";
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

export async function deleteEntries(tx: Tx, kind: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await queries<AccesslistTables>(tx)
    .deleteFrom("accesslists_entries")
    .where("object_kind", "=", kind)
    .where("object_id", "in", ids)
    .execute();
}

/** The whole list of one object. */
export async function replaceEntries(tx: Tx, kind: string, id: number, entries: readonly Entry[]): Promise<void> {
  await deleteEntries(tx, kind, [id]);
  if (entries.length === 0) return;
  await queries<AccesslistTables>(tx)
    .insertInto("accesslists_entries")
    .values(
      entries.map((entry) => ({
        object_kind: kind,
        object_id: id,
        subject_kind: entry.subject,
        job: entry.job,
        min_grade: entry.minGrade,
        subject_id: entry.id,
        level: entry.level,
        required_level: entry.required,
      })),
    )
    .execute();
  const named = entries.filter(({ subject }) => subject === "job");
  if (named.length === 0) return;
  const grades = queries<AccesslistTables>(tx)
    .insertInto("accesslists_grades")
    .values(named.map(({ job, minGrade }) => ({ object_kind: kind, job, min_grade: minGrade })));
  await dialectOf(tx).ignoreConflicts(grades).execute();
}

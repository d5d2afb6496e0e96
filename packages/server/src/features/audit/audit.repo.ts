import type { Insertable, Selectable } from "kysely";
import { bulkInsert, dialectOf, queries, pruneOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { suffixesOf } from "./audit.policy.ts";
import { auditEntries, auditPostings, auditSuffixes, type AuditTables, auditWords } from "./audit.schema.ts";

export type NewAuditEntry = Insertable<AuditTables["audit_entries"]> & { readonly at: number };
export type StoredEntry = Selectable<AuditTables["audit_entries"]>;

/** The precision of the last use of a word. */
export const wordDayMs = 24 * 60 * 60_000;

/** FNV-1a in two halves: 52 bits, so that collisions of words practically never occur. */
export function wordHash(text: string): number {
  const half = (seed: number) => {
    let hash = seed;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash >>> 0;
  };
  return (half(0x9747b28c) & 0xfffff) * 2 ** 32 + half(0x811c9dc5);
}

/** Returns the new id. */
export async function insertEntry(tx: Tx, entry: NewAuditEntry): Promise<number> {
  const { insertId } = await queries<AuditTables>(tx).insertInto("audit_entries").values(entry).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** Makes an entry findable by these words. */
export async function indexEntry(tx: Tx, id: number, entry: NewAuditEntry, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const { at } = entry;
  const hashed = words.map((text) => ({ word: wordHash(text), text, used_at: at })).sort((a, b) => a.word - b.word);
  const fresh = await queries<AuditTables>(tx)
    .selectFrom("audit_words")
    .select("word")
    .where(
      "word",
      "in",
      hashed.map(({ word }) => word),
    )
    .where("used_at", ">=", at - wordDayMs)
    .execute();
  const known = new Set(fresh.map(({ word }) => word));
  // A word not used for a day is written again: retention may be removing it at this moment.
  const missing = hashed.filter(({ word }) => !known.has(word));
  await bulkInsert(tx, auditWords, missing, { onConflict: { keys: ["word"], update: ["used_at"] } });
  const suffixes = missing.flatMap(({ word, text }) => suffixesOf(text).map((suffix) => ({ suffix, word })));
  await bulkInsert(tx, auditSuffixes, suffixes, { onConflict: { keys: ["suffix", "word"], update: [] } });
  const job = entry.job ?? "";
  await bulkInsert(
    tx,
    auditPostings,
    hashed.map(({ word }) => ({ word, at, entry: id, job })),
    { onConflict: { keys: ["word", "at", "entry"], update: [] } },
  );
}

/** An entry that stands for several records, and when the first of them was. */
export interface FoldedEntry {
  readonly id: number;
  readonly at: number;
}

/**
 * Adds `times` to the newest identical entry since `since`; null when there is none. What somebody did in another job,
 * or in another mode, is not identical.
 */
export async function foldInto(tx: Tx, entry: NewAuditEntry, since: number, times: number): Promise<FoldedEntry | null> {
  const same = <T>(value: T | null | undefined) => [value == null ? "is" : "=", value ?? null] as const;
  const found = await queries<AuditTables>(tx)
    .selectFrom("audit_entries")
    .select(["id", "at"])
    .where("action", "=", entry.action)
    .where("at", ">=", since)
    .where("result", "=", entry.result)
    .where("actor_kind", "=", entry.actor_kind)
    .where("actor_name", "=", entry.actor_name)
    .where("character_id", ...same(entry.character_id))
    .where("job", ...same(entry.job))
    .where("admin_reason", ...same(entry.admin_reason))
    .where("seen_as", ...same(entry.seen_as))
    .where("object_kind", ...same(entry.object_kind))
    .where("object_id", ...same(entry.object_id))
    .where("address", ...same(entry.address))
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!found) return null;
  await addFolded(tx, found.id, times);
  return found;
}

/** Adds `times` to the number of records that an entry stands for. */
export async function addFolded(tx: Tx, id: number, times: number): Promise<void> {
  await queries<AuditTables>(tx)
    .updateTable("audit_entries")
    .set((set) => ({ folded: set("folded", "+", times) }))
    .where("id", "=", id)
    .execute();
}

export const removeEntries = pruneOlder(auditEntries, "at");

/** Removes about `limit` of the oldest postings up to `until`; returns how many. */
export async function removePostings(tx: Tx, until: number, limit: number): Promise<number> {
  const db = queries<AuditTables>(tx);
  const due = db.selectFrom("audit_postings").select("at").where("at", "<=", until).orderBy("at");
  const bound = (await due.offset(limit).limit(1).executeTakeFirst())?.at ?? until;
  const { numDeletedRows } = await db.deleteFrom("audit_postings").where("at", "<=", bound).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Removes at most `limit` words that no entry since `before` used; returns how many. */
export async function removeWords(tx: Tx, before: number, limit: number): Promise<number> {
  const db = queries<AuditTables>(tx);
  const select = db.selectFrom("audit_words").select("word").where("used_at", "<", before).limit(limit);
  const words = (await dialectOf(tx).lock(select).execute()).map(({ word }) => word);
  if (words.length === 0) return 0;
  await db.deleteFrom("audit_suffixes").where("word", "in", words).execute();
  await db.deleteFrom("audit_words").where("word", "in", words).execute();
  return words.length;
}

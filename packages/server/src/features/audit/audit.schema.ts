import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { auditOrders } from "./audit.contract.ts";

/** Entries of the audit log, stored for `audit.retentionDays`. */
export const auditEntries = defineTable(
  "audit_entries",
  {
    id: col.id(),
    at: col.int(),
    actor_kind: col.key(16),
    /** User name, token fingerprint, operating-system user or schedule. */
    actor_name: col.text(100),
    account_id: col.int().orNull(),
    character_id: col.int().orNull(),
    job: col.key(50).orNull(),
    /** The reason given when job admin was on. */
    admin_reason: col.text(255).orNull(),
    address: col.key(64).orNull(),
    trace_id: col.key(64).orNull(),
    action: col.key(100),
    result: col.key(16),
    object_kind: col.key(50).orNull(),
    object_id: col.key(64).orNull(),
    /** JSON `{v, before?, after?, info?}` without secrets. */
    data: col.longText().orNull(),
    /** How many identical entries this row stands for. */
    folded: col.int().defaultsTo(1),
    /** The character's name at that time. */
    character_name: col.text(110).orNull(),
    grade: col.int().orNull(),
    /** `job/grade` as which the person saw the panel. */
    seen_as: col.key(64).orNull(),
    /** Family of the client program, as `Firefox, Windows`. */
    user_agent: col.text(64).orNull(),
    /** The person whom it concerns: `citizen` or `account`. */
    target_kind: col.key(16).orNull(),
    target_id: col.int().orNull(),
    target_name: col.text(110).orNull(),
    /** What the object was called then, for one that is no person. */
    object_name: col.text(110).orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      audit_entries_at: ["at"],
      audit_entries_account: ["account_id", "at"],
      audit_entries_object: ["object_kind", "object_id", "at"],
      audit_entries_action: ["action", "at"],
      audit_entries_job: ["job", "at"],
      audit_entries_character: ["character_id", "at"],
      audit_entries_target: ["target_kind", "target_id", "at"],
      audit_entries_address: ["address", "at"],
      audit_entries_result: ["result", "at"],
      audit_entries_trace: ["trace_id"],
    },
  },
);

export const auditList = defineOrderedList(auditEntries, auditOrders, { by: { at: "at" } });

/** The words that occur in entries; `word` is a hash of the text. */
export const auditWords = defineTable(
  "audit_words",
  { word: col.int(), text: col.key(40), used_at: col.int() },
  { primary: ["word"], indexes: { audit_words_used: ["used_at"] } },
);

/** The suffixes of words: every part of a word is the prefix of one of its suffixes. */
export const auditSuffixes = defineTable(
  "audit_suffixes",
  { suffix: col.key(40), word: col.int() },
  { primary: ["suffix", "word"], indexes: { audit_suffixes_word: ["word"] } },
);

/** The entries that hold a word, in order of time. */
export const auditPostings = defineTable(
  "audit_postings",
  {
    word: col.int(),
    at: col.int(),
    entry: col.int(),
    /** The entry's job, empty when it has none. */
    job: col.key(50).defaultsTo(""),
  },
  { primary: ["word", "at", "entry"], indexes: { audit_postings_at: ["at"] } },
);

export interface AuditTables {
  audit_entries: TableOf<typeof auditEntries>;
  audit_words: TableOf<typeof auditWords>;
  audit_suffixes: TableOf<typeof auditSuffixes>;
  audit_postings: TableOf<typeof auditPostings>;
}

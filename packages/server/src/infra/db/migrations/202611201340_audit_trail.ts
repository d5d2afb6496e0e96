import { col, defineTable, migration } from "./kit.ts";

const auditWords = defineTable(
  "audit_words",
  { word: col.int(), text: col.key(40), used_at: col.int() },
  { primary: ["word"], indexes: { audit_words_used: ["used_at"] } },
);

const auditSuffixes = defineTable(
  "audit_suffixes",
  { suffix: col.key(40), word: col.int() },
  { primary: ["suffix", "word"], indexes: { audit_suffixes_word: ["word"] } },
);

const auditPostings = defineTable(
  "audit_postings",
  { word: col.int(), at: col.int(), entry: col.int(), job: col.key(50).defaultsTo("") },
  { primary: ["word", "at", "entry"], indexes: { audit_postings_at: ["at"] } },
);

export default migration(async (steps) => {
  const table = "audit_entries";
  await steps.addColumn(table, "character_name", col.text(110).orNull());
  await steps.addColumn(table, "grade", col.int().orNull());
  await steps.addColumn(table, "seen_as", col.key(64).orNull());
  await steps.addColumn(table, "user_agent", col.text(64).orNull());
  await steps.addColumn(table, "target_kind", col.key(16).orNull());
  await steps.addColumn(table, "target_id", col.int().orNull());
  await steps.addColumn(table, "target_name", col.text(110).orNull());
  await steps.addIndex(table, "audit_entries_action", ["action", "at"]);
  await steps.addIndex(table, "audit_entries_job", ["job", "at"]);
  await steps.addIndex(table, "audit_entries_character", ["character_id", "at"]);
  await steps.addIndex(table, "audit_entries_target", ["target_kind", "target_id", "at"]);
  await steps.addIndex(table, "audit_entries_address", ["address", "at"]);
  await steps.addIndex(table, "audit_entries_result", ["result", "at"]);
  await steps.addIndex(table, "audit_entries_trace", ["trace_id"]);
  await steps.createTable(auditWords);
  await steps.createTable(auditSuffixes);
  await steps.createTable(auditPostings);
});

import { col, defineTable, type TableOf } from "#core/db/table.ts";

/** The normalised texts of each object: for ranking, and to determine which entries a change removes. */
export const searchDocuments = defineTable(
  "search_documents",
  { kind: col.key(32), id: col.int(), texts: col.key(2000) },
  { primary: ["kind", "id"] },
);

/** The words of a field of a kind; `word` is a hash of kind, field and text. */
export const searchWords = defineTable(
  "search_words",
  { word: col.int(), kind: col.key(32), field: col.key(32), text: col.key(40), weight: col.double() },
  { primary: ["word"] },
);

/** Trigrams of words refer to the word, grams of codes (plates, phone numbers) to the object. */
export const searchGrams = defineTable("search_grams", { gram: col.int(), target: col.int() }, { primary: ["gram", "target"] });

/** The objects that contain a word. */
export const searchPostings = defineTable("search_postings", { word: col.int(), id: col.int() }, { primary: ["word", "id"] });

export interface SearchTables {
  search_documents: TableOf<typeof searchDocuments>;
  search_words: TableOf<typeof searchWords>;
  search_grams: TableOf<typeof searchGrams>;
  search_postings: TableOf<typeof searchPostings>;
}

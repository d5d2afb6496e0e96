import { col, defineTable, type TableOf } from "#core/db/table.ts";

/** The normalised texts of each object: for ranking, and to determine which entries a change removes. */
export const searchDocuments = defineTable(
  "search_documents",
  { kind: col.key(32), id: col.int(), texts: col.key(2000), beginnings: col.int().defaultsTo(0) },
  { primary: ["kind", "id"] },
);

/** The words of a field of a kind; `word` is a hash of kind, field and text. */
export const searchWords = defineTable(
  "search_words",
  { word: col.int(), kind: col.key(32), field: col.key(32), text: col.key(40), weight: col.double() },
  { primary: ["word"], indexes: { search_words_text: ["kind", "text"] } },
);

/** Of the version before, which may still run beside this one; the next release drops it. */
export const searchGrams = defineTable("search_grams", { gram: col.int(), target: col.int() }, { primary: ["gram", "target"] });

/** Keys by which a word is found by similar ones. */
export const searchVariants = defineTable(
  "search_variants",
  { variant: col.int(), word: col.int() },
  { primary: ["variant", "word"] },
);

/** Parts of the codes of objects (plates, phone numbers), as numbers in the order of their characters. */
export const searchCodes = defineTable("search_codes", { part: col.int(), id: col.int() }, { primary: ["part", "id"] });

/** The objects that contain a word; `beginnings` is a set of bits of all words of the object. */
export const searchPostings = defineTable(
  "search_postings",
  { word: col.int(), id: col.int(), beginnings: col.int().defaultsTo(0) },
  { primary: ["word", "id"] },
);

export interface SearchTables {
  search_documents: TableOf<typeof searchDocuments>;
  search_words: TableOf<typeof searchWords>;
  search_variants: TableOf<typeof searchVariants>;
  search_codes: TableOf<typeof searchCodes>;
  search_postings: TableOf<typeof searchPostings>;
}

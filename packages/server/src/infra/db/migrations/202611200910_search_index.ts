import { col, defineTable, migration } from "./kit.ts";

const documents = defineTable(
  "search_documents",
  { kind: col.key(32), id: col.int(), texts: col.key(2000) },
  { primary: ["kind", "id"] },
);

const words = defineTable(
  "search_words",
  { word: col.int(), kind: col.key(32), field: col.key(32), text: col.key(40), weight: col.double() },
  { primary: ["word"] },
);

const grams = defineTable("search_grams", { gram: col.int(), target: col.int() }, { primary: ["gram", "target"] });

const postings = defineTable("search_postings", { word: col.int(), id: col.int() }, { primary: ["word", "id"] });

export default migration(async (steps) => {
  await steps.createTable(documents);
  await steps.createTable(words);
  await steps.createTable(grams);
  await steps.createTable(postings);
});

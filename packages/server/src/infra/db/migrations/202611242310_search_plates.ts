import { col, defineTable, migration, queries, sql, type TableOf } from "./kit.ts";

const documents = defineTable(
  "search_documents",
  { kind: col.key(32), id: col.int(), texts: col.key(2000), beginnings: col.int().defaultsTo(0) },
  { primary: ["kind", "id"] },
);

interface Tables {
  search_documents: TableOf<typeof documents>;
}

// What infra/search/keys.ts computed when this migration was written.

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

function valueOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code >= 48 && code <= 57) return code - 47;
  if (code >= 97 && code <= 122) return code - 86;
  return 1 + (code % 36);
}

function partNumber(kind: string, part: string): number {
  let number = 0;
  for (let at = 0; at < 6; at++) number = number * 37 + (at < part.length ? valueOf(part[at]!) : 0);
  return ((fnv1a(`${kind}\u0000code`) & 0xfffff) + 1) * 2 ** 32 + number;
}

function partsOf(code: string): number[] {
  const parts = new Set<number>();
  for (let at = 0; at === 0 || at + 2 <= code.length; at++) parts.add(partNumber("vehicles", code.slice(at, at + 6)));
  return [...parts];
}

type Text = [field: string, weight: number, words: string, code?: number];

const isPlateOfLetters = ([field, , words, code]: Text) => field === "plate" && code === undefined && !/\p{N}/u.test(words);

const rowsAtOnce = 2_000;

/** Plates without a digit become codes, so that any part of them is found. */
export default migration(async (steps) => {
  let id = -1;
  await steps.runData("plates", async (tx) => {
    const db = queries<Tables>(tx);
    const rows = await db
      .selectFrom("search_documents")
      .select(["id", "texts"])
      .where("kind", "=", "vehicles")
      .where("id", ">", id)
      .orderBy("id")
      .limit(rowsAtOnce)
      .execute();
    for (const row of rows) {
      const texts = JSON.parse(row.texts) as Text[];
      const plate = texts.find(isPlateOfLetters);
      if (!plate) continue;
      const [field, weight, words] = plate;
      const marked = JSON.stringify(texts.map((text) => (text === plate ? [field, weight, words, 1] : text)));
      await sql`update search_documents set texts = ${marked} where kind = 'vehicles' and id = ${row.id}`.execute(db);
      const values = partsOf(words.replaceAll(" ", "").slice(0, 40)).map((part) => sql`(${part}, ${row.id})`);
      await sql`replace into search_codes (part, id) values ${sql.join(values)}`.execute(db);
    }
    id = rows.at(-1)?.id ?? id;
    return rows.length === rowsAtOnce ? "more" : undefined;
  });
});

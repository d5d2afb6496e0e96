import { col, defineTable, migration, queries, sql, type TableOf } from "./kit.ts";

const citizens = defineTable("citizens", { id: col.id(), name_key: col.key(220) }, { primary: ["id"] });

const letters: readonly (readonly [string, string])[] = [
  ["ß", "ss"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ł", "l"],
  ["ı", "i"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ŋ", "n"],
  ["ĸ", "k"],
];
const rowsAtOnce = 5_000;

/** Names with ł, ø or đ stood behind all others. */
export default migration(async (steps) => {
  let last = 0;
  await steps.runData("letters", async (tx) => {
    const db = queries<{ citizens: TableOf<typeof citizens> }>(tx);
    const rows = await db
      .selectFrom("citizens")
      .select(["id", "name_key"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(rowsAtOnce)
      .execute();
    const folded = (key: string) => letters.reduce((text, [from, to]) => text.replaceAll(from, to), key);
    const changed = rows.filter(({ name_key }) => folded(name_key) !== name_key);
    if (changed.length > 0) {
      const cases = changed.map(({ id, name_key }) => sql`when ${id} then ${folded(name_key).slice(0, 200)}`);
      await db
        .updateTable("citizens")
        .set({ name_key: sql<string>`case id ${sql.join(cases, sql` `)} else name_key end` })
        .where(
          "id",
          "in",
          changed.map(({ id }) => id),
        )
        .execute();
    }
    last = rows.at(-1)?.id ?? last;
    return rows.length === rowsAtOnce ? "more" : undefined;
  });
});

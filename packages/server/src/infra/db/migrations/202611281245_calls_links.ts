import { col, defineTable, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.createTable(
    defineTable(
      "calls_links",
      { a_id: col.int(), b_id: col.int(), at: col.int() },
      { primary: ["a_id", "b_id"], indexes: { calls_links_b: ["b_id", "a_id"] } },
    ),
  );
});

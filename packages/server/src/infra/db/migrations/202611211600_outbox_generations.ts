import { col, defineTable, migration } from "./kit.ts";

const outboxGenerations = defineTable("outbox_generations", { id: col.key(26), created_at: col.int() }, { primary: ["id"] });

export default migration(async (steps) => {
  await steps.createTable(outboxGenerations);
});

import { col, defineTable, migration } from "./kit.ts";

const licences = defineTable(
  "licences",
  { type: col.key(60), label: col.text(100), updated_at: col.int() },
  { primary: ["type"] },
);

export default migration(async (steps) => {
  await steps.createTable(licences);
});

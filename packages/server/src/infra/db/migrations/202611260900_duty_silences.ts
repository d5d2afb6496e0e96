import { col, defineTable, migration } from "./kit.ts";

/** When a source was silent, from its last call to the next one. */
const dutySilences = defineTable(
  "duty_silences",
  { id: col.id(), source: col.key(64), from_at: col.int(), to_at: col.int() },
  { primary: ["id"], indexes: { duty_silences_ended: ["to_at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(dutySilences);
});

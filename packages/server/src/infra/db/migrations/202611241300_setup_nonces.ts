import { col, defineTable, migration } from "./kit.ts";

const nonces = defineTable("setup_nonces", { nonce: col.key(32), made_at: col.int() }, { primary: ["nonce"] });

export default migration(async (steps) => {
  await steps.createTable(nonces);
});

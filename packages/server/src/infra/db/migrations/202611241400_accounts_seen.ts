import { col, migration, queries, sql } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("accounts", "last_seen_at", col.int().orNull());
  await steps.addIndex("accounts", "accounts_seen", ["deleted_at", "last_seen_at", "id"]);
  await steps.runData("sessions", async (tx) => {
    await sql`update accounts set last_seen_at =
      (select max(s.last_seen_at) from auth_sessions s where s.account_id = accounts.id)`.execute(queries(tx));
  });
});

import { col, defineTable, migration, queries, type TableOf } from "./kit.ts";

const accounts = defineTable(
  "accounts",
  { id: col.id(), staff_groups: col.longText(), confirmed_groups: col.longText().orNull() },
  { primary: ["id"] },
);

const rowsAtOnce = 5000;

/** Groups that an account has by now count as confirmed. */
export default migration(async (steps) => {
  await steps.addColumn("accounts", "confirmed_groups", col.longText().orNull());
  await steps.addColumn("accounts", "admin_power", col.key(10).orNull());
  await steps.addColumn("accounts", "admin_waiting", col.key(10).orNull());
  await steps.addColumn("accounts", "admin_at", col.int().orNull());
  await steps.addColumn("accounts", "admin_by", col.text(100).orNull());
  await steps.addIndex("accounts", "accounts_admin_at", ["admin_at", "id"]);
  await steps.addIndex("accounts", "accounts_admin_waiting", ["admin_waiting", "id"]);
  await steps.runData("confirm", async (tx) => {
    const db = queries<{ accounts: TableOf<typeof accounts> }>(tx);
    const rows = await db.selectFrom("accounts").select("id").where("confirmed_groups", "is", null).limit(rowsAtOnce).execute();
    if (rows.length === 0) return;
    await db
      .updateTable("accounts")
      .set((set) => ({ confirmed_groups: set.ref("staff_groups") }))
      .where(
        "id",
        "in",
        rows.map(({ id }) => id),
      )
      .execute();
    return rows.length === rowsAtOnce ? "more" : undefined;
  });
});

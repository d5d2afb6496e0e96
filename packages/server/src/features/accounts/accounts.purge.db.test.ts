import { expect, test } from "vitest";
import { features } from "#app/features.ts";
import { bulkInsert, type Column, queries, type Table } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { describeApps } from "#testkit/suite.ts";
import type { AccountTables } from "./accounts.schema.ts";
import { accountsApi } from "./accounts.api.ts";
import { AccountChanges } from "./accounts.changes.service.ts";
import { accountsPurged } from "./accounts.contract.ts";
import { deletedKeptMs } from "./accounts.policy.ts";

/** Tables with rows of accounts: every one that cannot have a row without an account, and one that keeps those of both kinds. */
const holding = features.flatMap(({ name, tables }) =>
  tables
    .filter(({ name: table, columns }) => columns["account_id"]?.nullable === false || table === "oauth_attempts")
    .map((table) => ({ feature: name, table })),
);
const others = [...new Set(holding.map(({ feature }) => feature))].filter((feature) => feature !== "accounts");

/** A value of the column's type that is different for each account. */
function valueOf({ type, length }: Column, accountId: number): string | number {
  if (type === "longText") return "{}";
  if (type === "text" || type === "key") return `purge-${accountId}`.slice(-length!);
  return 1;
}

function rowOf(table: Table, accountId: number): Record<string, unknown> {
  const values = Object.entries(table.columns)
    .filter(([, column]) => !column.generated && !column.nullable && column.default === undefined)
    .map(([name, column]) => [name, name.endsWith("_account_id") ? accountId : valueOf(column, accountId)]);
  return { ...Object.fromEntries(values), account_id: accountId };
}

/** The app has no worker, so a reaction runs only where a test calls it. */
describeApps(
  "purged accounts",
  (get) => {
    /** One row of the account in each table. */
    async function fill(tx: Tx, accountId: number): Promise<void> {
      for (const { table } of holding) await bulkInsert(tx, table, [rowOf(table, accountId)]);
    }

    /** In how many of the tables the account has rows. */
    async function tablesWith(accountId: number): Promise<number> {
      const { db } = get().app.process.container;
      return await db.read("test.left", async (tx) => {
        const found = await Promise.all(
          holding.map(
            async ({ table }) =>
              await queries<Record<string, { account_id: number }>>(tx)
                .selectFrom(table.name)
                .select((e) => e.fn.countAll<number>().as("n"))
                .where("account_id", "=", accountId)
                .executeTakeFirstOrThrow(),
          ),
        );
        return found.filter(({ n }) => Number(n) > 0).length;
      });
    }

    const events = async (): Promise<number[][]> =>
      await get().app.process.container.db.exclusive("test.events", async ({ connection }) => {
        const { rows } = await connection.execute("select payload from outbox_events where type = ? order by id", [
          accountsPurged.id,
        ]);
        return rows.map((row) => (JSON.parse(String(row["payload"])) as { accountIds: number[] }).accountIds);
      });

    test("leave nothing in other features once their reactions ran, and a second run changes nothing", async () => {
      const { app } = get();
      const { assembly, container } = app.process;
      const { clock } = container.ports;
      const accounts = assembly.api(accountsApi);
      const create = async (name: string) =>
        await accounts.create({ kind: "cli", user: "test" }, { licence: name, username: name, password: "a good password" });
      const [gone, stays] = [await create("purge.gone"), await create("purge.stays")];
      await container.db.write("test.fill", async (tx) => {
        for (const { id } of [gone, stays]) await fill(tx, id);
        await queries<AccountTables>(tx)
          .updateTable("accounts")
          .set({ deleted_at: clock.now() - deletedKeptMs - 1000 })
          .where("id", "=", gone.id)
          .execute();
      });
      expect(await tablesWith(gone.id)).toBe(holding.length);

      await assembly.retain("accounts.cleanUp", { kind: "system", name: "test" });
      expect(await events()).toEqual([[gone.id]]);
      // Its own rows went with the account; those of other features wait for their reactions.
      expect(await tablesWith(gone.id)).toBe(holding.filter(({ feature }) => feature !== "accounts").length);

      const reactions = assembly.reactions.filter(({ event }) => event.id === accountsPurged.id);
      expect(reactions.map(({ consumer }) => consumer).toSorted()).toEqual(
        others.map((feature) => `${feature}.purgeAccounts`).toSorted(),
      );
      const message = {
        eventId: "event",
        type: accountsPurged.id,
        schemaVersion: 1,
        key: `account/${gone.id}`,
        version: 1,
        at: 1,
        payload: { accountIds: [gone.id] },
      };
      const kept = await tablesWith(stays.id);
      for (let run = 0; run < 2; run += 1) {
        for (const reaction of reactions)
          await container.db.write("test.react", async (tx) => await reaction.handle(tx, message));
        expect(await tablesWith(gone.id)).toBe(0);
        expect(await tablesWith(stays.id)).toBe(kept);
      }
    });

    test("are announced with a bounded number of ids per event", async () => {
      const { container } = get().app.process;
      const before = (await events()).length;
      const ids = Array.from({ length: 230 }, (_none, i) => 5_000_000 + i);
      const changes = new AccountChanges({ ...container.ports, tokens: { purge: async () => undefined } });
      await container.db.write("test.purge", async (tx) => await changes.purge(tx, ids));
      const emitted = (await events()).slice(before);
      expect(emitted.map(({ length }) => length)).toEqual([100, 100, 30]);
      expect(emitted.flat()).toEqual(ids);
    });
  },
  {},
  { roles: ["web"] },
);

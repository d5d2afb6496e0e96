import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuthTables } from "#features/auth/auth.schema.ts";
import type { NotificationTables } from "#features/notifications/notifications.schema.ts";
import type { OauthTables } from "#features/oauth/oauth.schema.ts";
import { describeApps } from "#testkit/suite.ts";
import type { AccountTables } from "./accounts.schema.ts";
import { accountsApi } from "./accounts.api.ts";
import { AccountChanges } from "./accounts.changes.service.ts";
import { accountsPurged } from "./accounts.contract.ts";
import { deletedKeptMs } from "./accounts.policy.ts";

type Tables = AccountTables & AuthTables & NotificationTables & OauthTables;

const holding = [
  "accounts_tokens",
  "auth_sessions",
  "auth_factors",
  "auth_recovery_codes",
  "auth_agents",
  "auth_addresses",
  "oauth_connections",
  "oauth_attempts",
  "notifications",
  "notifications_preferences",
] as const satisfies (keyof Tables)[];

/** The app has no worker, so a reaction runs only where a test calls it. */
describeApps(
  "purged accounts",
  (get) => {
    /** One row of the account in each table. */
    async function fill(tx: Tx, account_id: number): Promise<void> {
      const db = queries<Tables>(tx);
      const id = `purge-${account_id}`;
      const at = { created_at: 1, last_seen_at: 1, expires_at: 1 };
      const token = { token_hash: id, kind: "reset", created_by: "x", created_at: 1, expires_at: 1 };
      await db
        .insertInto("accounts_tokens")
        .values({ ...token, account_id })
        .execute();
      await db
        .insertInto("auth_sessions")
        .values({ id, account_id, ...at, address: "", user_agent: "" })
        .execute();
      await db.insertInto("auth_factors").values({ account_id, secret: "", created_at: 1 }).execute();
      await db.insertInto("auth_recovery_codes").values({ account_id, code_hash: "h" }).execute();
      await db.insertInto("auth_agents").values({ account_id, agent_hash: "h", last_at: 1 }).execute();
      await db.insertInto("auth_addresses").values({ account_id, address: "a", last_at: 1 }).execute();
      const connection = { provider: "p", external_id: id, scopes: "[]", created_at: 1, updated_at: 1 };
      await db
        .insertInto("oauth_connections")
        .values({ ...connection, account_id })
        .execute();
      const attempt = { id, provider: "p", return_path: "/", created_at: 1, expires_at: 1 };
      await db
        .insertInto("oauth_attempts")
        .values({ ...attempt, account_id })
        .execute();
      await db.insertInto("notifications").values({ account_id, kind: "k", params: "{}", at: 1 }).execute();
      const choice = { kind: "k", channel: "bell", chosen: 1 } as const;
      await db
        .insertInto("notifications_preferences")
        .values({ ...choice, account_id })
        .execute();
    }

    /** In how many of the tables the account has rows. */
    async function tablesWith(accountId: number): Promise<number> {
      const { db } = get().app.process.container;
      return await db.read("test.left", async (tx) => {
        const found = await Promise.all(
          holding.map(
            async (table) =>
              await queries<Tables>(tx)
                .selectFrom(table)
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
        await queries<Tables>(tx)
          .updateTable("accounts")
          .set({ deleted_at: clock.now() - deletedKeptMs - 1000 })
          .where("id", "=", gone.id)
          .execute();
      });
      expect(await tablesWith(gone.id)).toBe(holding.length);

      await assembly.retain("accounts.cleanUp", { kind: "system", name: "test" });
      expect(await events()).toEqual([[gone.id]]);
      // Its own rows went with the account; those of other features wait for their reactions.
      expect(await tablesWith(gone.id)).toBe(holding.length - 1);

      const reactions = assembly.reactions.filter(({ event }) => event.id === accountsPurged.id);
      expect(reactions.map(({ consumer }) => consumer).toSorted()).toEqual([
        "auth.purgeAccounts",
        "notifications.purgeAccounts",
        "oauth.purgeAccounts",
      ]);
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
      const changes = new AccountChanges(container.ports);
      await container.db.write("test.purge", async (tx) => await changes.purge(tx, ids));
      const emitted = (await events()).slice(before);
      expect(emitted.map(({ length }) => length)).toEqual([100, 100, 30]);
      expect(emitted.flat()).toEqual(ids);
    });
  },
  {},
  { roles: ["web"] },
);

import assert from "node:assert/strict";
import { call } from "@rollcall/testkit/api.ts";
import type { Settings } from "@rollcall/testkit/settings.ts";
import { ownDatabase, type OwnDatabase } from "@rollcall/testkit/servers.ts";
import { until } from "@rollcall/testkit/until.ts";
import { type OptionProof, player, type ProofKit } from "../proof.ts";

const burst = 20;

interface Pooled {
  readonly database: OwnDatabase;
  /** Sends requests that all wait in the database; returns the highest number of connections meanwhile. */
  burst(expected: number): Promise<number>;
}

/** A program of its own on MariaDB; `again` restarts it with other settings. */
async function pooled(kit: ProofKit, settings: Settings): Promise<Pooled & { again(settings: Settings): Promise<void> }> {
  const database = await ownDatabase();
  kit.defer(async () => await database.drop());
  const dsn = { "database.dsn": database.dsn() };
  const running = await kit.start({ ...settings, ...dsn });
  const { instance } = running;
  let { program } = running;
  assert.equal((await kit.run(["role", "allow", "vehicles.list"], instance)).code, 0);
  const { token } = await player(instance, "pooler");
  return {
    database,
    async again(other) {
      await program.stop();
      instance.set({ ...other, ...dsn });
      program = await kit.serve(instance);
    },
    async burst(expected) {
      // Reads wait for the table lock, each on a connection of its own.
      await database.admin.query(`lock tables ${database.name}.vehicles write`);
      const requests = Array.from({ length: burst }, async () => await call(instance.url, "/api/vehicles", { token }));
      let most = 0;
      const count = async () => {
        const open = (await database.connections()).length;
        most = Math.max(most, open);
        return open;
      };
      await until(`${expected} connections`, async () => (await count()) === expected);
      for (let i = 0; i < 10; i++) await count();
      await database.admin.query("unlock tables");
      for (const answer of await Promise.all(requests)) assert.equal(answer.status, 200, answer.text);
      return most;
    },
  };
}

const names = {
  open: "database.maxOpenConns",
  idle: "database.maxIdleConns",
  idleTime: "database.connMaxIdleTime",
  lifetime: "database.connMaxLifetime",
} as const;

export const proofs: readonly OptionProof[] = [
  {
    option: names.open,
    first: {
      value: "3",
      observed: "20 requests at once open 3 connections in MariaDB's processlist, and all are answered",
    },
    second: { value: "6", observed: "the same requests open 6" },
    async run(kit) {
      const pool = await pooled(kit, { [names.open]: 3 });
      assert.equal(await pool.burst(3), 3);
      await pool.again({ [names.open]: 6 });
      assert.equal(await pool.burst(6), 6);
    },
  },
  {
    option: names.idle,
    first: { value: "1", observed: "of 8 connections that 20 requests opened, 1 is left afterwards" },
    second: { value: "4", observed: "4 are left" },
    async run(kit) {
      const pool = await pooled(kit, { [names.open]: 8, [names.idle]: 1 });
      for (const idle of [1, 4]) {
        if (idle > 1) await pool.again({ [names.open]: 8, [names.idle]: idle });
        assert.equal(await pool.burst(8), 8);
        await until(`${idle} connections are left`, async () => (await pool.database.connections()).length === idle);
      }
    },
  },
  {
    option: names.idleTime,
    first: { value: "1s", observed: "a second after the burst the connections without work are closed" },
    second: { value: "15m", observed: "at the same time all 5 idle connections are still there" },
    async run(kit) {
      const common = { [names.open]: 8, [names.idle]: 5 };
      const [short, long] = await Promise.all([pooled(kit, { ...common, [names.idleTime]: "1s" }), pooled(kit, common)]);
      await Promise.all([short, long].map(async ({ burst: fire }) => await fire(8)));
      await until("five idle connections", async () => (await long.database.connections()).length === 5);
      await until("the idle connections are closed", async () => (await short.database.connections()).length <= 2);
      assert.equal((await long.database.connections()).length, 5);
    },
  },
  {
    option: names.lifetime,
    first: {
      value: "2s",
      observed: "within seconds every connection has been replaced by one with another id",
    },
    second: { value: "60m", observed: "at the same time the connections are the same ones" },
    async run(kit) {
      const common = { [names.open]: 4, [names.idle]: 4 };
      const [short, long] = await Promise.all([pooled(kit, { ...common, [names.lifetime]: "2s" }), pooled(kit, common)]);
      await Promise.all([short, long].map(async ({ burst: fire }) => await fire(4)));
      const [first, kept] = await Promise.all([short.database.connections(), long.database.connections()]);
      await until("every connection was replaced", async () => {
        const now = await short.database.connections();
        return first.every((id) => !now.includes(id));
      });
      assert.deepEqual(
        (await long.database.connections()).toSorted((a, b) => a - b),
        kept.toSorted((a, b) => a - b),
      );
    },
  },
];

import assert from "node:assert/strict";
import { call, person } from "../../kit/api.ts";
import type { Settings } from "../../kit/settings.ts";
import { ownDatabase, type OwnDatabase } from "../../kit/servers.ts";
import { until } from "../../kit/until.ts";
import type { OptionProof, ProofKit } from "../proof.ts";

const burst = 20;

interface Pooled {
  readonly database: OwnDatabase;
  /** Fires requests that all wait in the database, and gives the most connections seen while they did. */
  burst(expected: number): Promise<number>;
}

async function pooled(kit: ProofKit, settings: Settings): Promise<Pooled> {
  const database = await ownDatabase();
  kit.defer(async () => await database.drop());
  const { place } = await kit.start({ ...settings, "database.dsn": database.dsn() });
  assert.equal((await kit.run(["role", "allow", "vehicles.list"], place)).code, 0);
  const { token } = await person(place, { username: "pooler" });
  return {
    database,
    async burst(expected) {
      // Readers wait for the lock on the table, each with its connection.
      await database.admin.query(`lock tables ${database.name}.vehicles write`);
      const requests = Array.from({ length: burst }, async () => await call(place.url, "/api/vehicles", { token }));
      let most = 0;
      const count = async () => {
        const open = (await database.connections()).length;
        most = Math.max(most, open);
        return open;
      };
      await until(`${expected} connections`, async () => (await count()) === expected);
      for (let looks = 0; looks < 10; looks++) await count();
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
      const most = await Promise.all(
        [3, 6].map(async (count) => await (await pooled(kit, { [names.open]: count })).burst(count)),
      );
      assert.deepEqual(most, [3, 6]);
    },
  },
  {
    option: names.idle,
    first: { value: "1", observed: "of 8 connections that 20 requests opened, 1 is left afterwards" },
    second: { value: "4", observed: "4 are left" },
    async run(kit) {
      await Promise.all(
        [1, 4].map(async (idle) => {
          const { database, burst: fire } = await pooled(kit, { [names.open]: 8, [names.idle]: idle });
          assert.equal(await fire(8), 8);
          await until(`${idle} connections are left`, async () => (await database.connections()).length === idle);
        }),
      );
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

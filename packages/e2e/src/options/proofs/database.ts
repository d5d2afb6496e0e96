import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { createProxy } from "../../../../server/src/testkit/proxy.ts";
import { call, person, sendTo } from "../../kit/api.ts";
import { ownDatabase } from "../../kit/servers.ts";
import type { OptionProof, ProofKit, Running } from "../proof.ts";

const columns = "database.custom.columns";

async function databaseOf(kit: ProofKit) {
  const database = await ownDatabase();
  kit.defer(async () => await database.drop());
  return database;
}

const tablesOf = async (database: Awaited<ReturnType<typeof ownDatabase>>) =>
  (await database.rows("select table_name as name from information_schema.tables where table_schema = ?", [database.name])).map(
    (row) => String(row["name"]),
  );

/** Sends one citizen with a vehicle and reads both as a police officer who may see every field. */
async function citizenAndVehicle(kit: ProofKit, { place, url }: Running) {
  const identifier = "char1:0a1b2c3d";
  const fields = "fields=job,phone,licences,visum,playtime";
  for (const [permission, attributes] of [
    ["citizens.list", fields],
    ["citizens.view", ""],
    ["vehicles.list", "fields=owner"],
  ] as const) {
    const allowed = await kit.run(
      ["role", "allow", permission, ...(attributes === "" ? [] : ["--attributes", attributes])],
      place,
    );
    assert.equal(allowed.code, 0, allowed.stderr);
  }
  const officer = await person(place, { username: "officer" });
  await sendTo(url, "users", [
    {
      identifier,
      firstName: "Mara",
      lastName: "Lind",
      jobs: [{ name: "police", grade: 1 }],
      visum: 7,
      playtime: 3600,
    },
  ]);
  await sendTo(url, "vehicles", [{ plate: "AB 123", model: "sultan", type: "car", ownerIdentifier: identifier }]);
  const list = await call(url, "/api/citizens?q=mara", { token: officer.token });
  assert.equal(list.status, 200, list.text);
  const row = list.body.items[0];
  const profile = await call(url, `/api/citizens/${row.id}`, { token: officer.token });
  const vehicles = await call(url, "/api/vehicles", { token: officer.token });
  assert.equal(vehicles.status, 200, vehicles.text);
  return { row, profile: profile.body, vehicle: vehicles.body.items[0] };
}

/** The three fields are flipped together: one program with other columns, one with "-". */
let customPrograms: Promise<{
  moved: Awaited<ReturnType<typeof citizenAndVehicle>>;
  off: Awaited<ReturnType<typeof citizenAndVehicle>>;
}> | null = null;

async function customColumns(kit: ProofKit) {
  customPrograms ??= (async () => {
    const [moved, off] = await kit.pair(
      {
        [`${columns}.user.visum`]: "playtime",
        [`${columns}.user.playtime`]: "visum",
        [`${columns}.vehicle.model`]: "plate",
      },
      {
        [`${columns}.user.visum`]: "-",
        [`${columns}.user.playtime`]: "-",
        [`${columns}.vehicle.model`]: "-",
      },
    );
    const [first, second] = await Promise.all([citizenAndVehicle(kit, moved), citizenAndVehicle(kit, off)]);
    return { moved: first, off: second };
  })();
  return await customPrograms;
}

export const proofs: readonly OptionProof[] = [
  {
    option: "database.dsn",
    first: {
      value: "sqlite:./data/city.db?loc=Asia%2FTokyo",
      observed: "the tables are in that file; calendar days are those of Asia/Tokyo",
    },
    second: {
      value: "USER:PASSWORD@tcp(127.0.0.1:3306)/NAME?...&loc=Europe%2FBerlin",
      observed:
        "the tables are in that MariaDB database, there is no file, and connections stand in the processlist; days are those of Europe/Berlin",
    },
    async run(kit) {
      const database = await databaseOf(kit);
      const [a, b] = await kit.pair(
        { "database.dsn": "sqlite:./data/city.db?loc=Asia%2FTokyo" },
        { "database.dsn": database.dsn() },
      );
      assert.deepEqual(
        [a, b].map(({ place }) => existsSync(path.join(place.folder, "data", "city.db"))),
        [true, false],
      );
      assert.ok((await tablesOf(database)).includes("citizens"));
      assert.ok((await database.connections()).length > 0);
      const zones = await Promise.all([a, b].map(async ({ url }) => (await call(url, "/api/system/client")).body.zone));
      assert.deepEqual(zones, ["Asia/Tokyo", "Europe/Berlin"]);
    },
  },
  {
    option: "database.disableLocking",
    first: { value: "false", observed: "GET_LOCK and FOR UPDATE pass over the wire to MariaDB" },
    second: {
      value: "true",
      observed: "start, migrations, sync and sign-in need neither GET_LOCK nor LOCK TABLES nor a locking read",
    },
    async run(kit) {
      const locking = /get_lock|for update|lock in share mode|lock tables/gi;
      const sent = await Promise.all(
        [false, true].map(async (disableLocking) => {
          const database = await databaseOf(kit);
          const proxy = await createProxy({ host: database.server.host, port: database.server.port });
          kit.defer(async () => await proxy.close());
          let bytes = "";
          proxy.cutWhen((part) => {
            bytes += part.toString("latin1");
            return false;
          });
          const { place, url } = await kit.start({
            "database.dsn": database.dsn({ port: proxy.port }),
            "database.disableLocking": disableLocking,
          });
          await person(place, { username: "locked" });
          assert.equal((await call(url, "/api/auth/login", { body: { username: "locked", password: "wrong" } })).status, 401);
          return bytes;
        }),
      );
      const found = sent.map((bytes) => new Set((bytes.match(locking) ?? []).map((word) => word.toLowerCase())));
      assert.ok(found[0]!.has("get_lock") && found[0]!.has("for update"), [...found[0]!].join(", "));
      assert.match(sent[1]!, /insert into/i);
      assert.deepEqual([...found[1]!], []);
    },
  },
  {
    option: "database.skipMigrations",
    first: { value: "false", observed: "an empty database has the tables after the start" },
    second: {
      value: "true",
      observed:
        "with an empty database the start is refused in one line naming rollcall migrate, and no table is made; after that command it serves",
    },
    async run(kit) {
      const [migrated, left] = [await databaseOf(kit), await databaseOf(kit)];
      const place = await kit.place({ "database.dsn": left.dsn(), "database.skipMigrations": true });
      const [, refused] = await Promise.all([kit.start({ "database.dsn": migrated.dsn() }), kit.launch(place).exited]);
      assert.equal(refused, 1);
      assert.ok((await tablesOf(migrated)).includes("citizens"));
      assert.equal((await tablesOf(left)).includes("citizens"), false);
      const again = kit.launch(place);
      await again.exited;
      assert.match(again.stderr(), /rollcall migrate/);
      assert.equal((await kit.run(["migrate"], place)).code, 0);
      await kit.serve(place);
    },
  },
  {
    option: `${columns}.user.visum`,
    first: {
      value: "playtime",
      observed: "the visa level that the API tells is the value of the column playtime",
    },
    second: { value: '"-"', observed: "visum is absent from list and profile" },
    async run(kit) {
      const { moved, off } = await customColumns(kit);
      assert.deepEqual([moved.row.visum, moved.profile.visum], [3600, 3600]);
      assert.deepEqual(["visum" in off.row, "visum" in off.profile], [false, false]);
    },
  },
  {
    option: `${columns}.user.playtime`,
    first: { value: "visum", observed: "the play time that the API tells is the value of the column visum" },
    second: { value: '"-"', observed: "playtime is absent from list and profile" },
    async run(kit) {
      const { moved, off } = await customColumns(kit);
      assert.deepEqual([moved.row.playtime, moved.profile.playtime], [7, 7]);
      assert.deepEqual(["playtime" in off.row, "playtime" in off.profile], [false, false]);
    },
  },
  {
    option: `${columns}.vehicle.model`,
    first: { value: "plate", observed: "the model that the API tells is the value of the column plate" },
    second: { value: '"-"', observed: "model is absent" },
    async run(kit) {
      const { moved, off } = await customColumns(kit);
      assert.equal(moved.vehicle.model, "AB 123");
      assert.equal("model" in off.vehicle, false);
      assert.equal(off.vehicle.plate, "AB 123");
    },
  },
  {
    option: "database.custom.conditions.user.filterEmptyName",
    first: { value: "false", observed: "a citizen without a first name is in the list" },
    second: { value: "true", observed: "the same citizen is in no list" },
    async run(kit) {
      const { place, program } = await kit.start();
      assert.equal((await kit.run(["role", "allow", "citizens.list"], place)).code, 0);
      const officer = await person(place, { username: "officer" });
      await sendTo(place.url, "users", [
        {
          identifier: "char1:nameless",
          firstName: "",
          lastName: "Halfnamed",
          jobs: [{ name: "police", grade: 1 }],
        },
      ]);
      const names = async () => {
        const list = await call(place.url, "/api/citizens", { token: officer.token });
        assert.equal(list.status, 200, list.text);
        return (list.body.items as { lastName: string }[]).map(({ lastName }) => lastName);
      };
      assert.deepEqual(await names(), ["Halfnamed", "officer"]);
      await program.stop();
      place.set({ "database.custom.conditions.user.filterEmptyName": true });
      await kit.serve(place);
      assert.deepEqual(await names(), ["officer"]);
    },
  },
];

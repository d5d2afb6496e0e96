import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { createProxy } from "@rollcall/testkit/server/proxy.ts";
import { call, sendTo } from "@rollcall/testkit/api.ts";
import { ownDatabase } from "@rollcall/testkit/servers.ts";
import { type OptionProof, player, type ProofKit, type Stage } from "../proof.ts";

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

/** The officer who reads one citizen and one vehicle with every field. */
async function citizenAndVehicle(stage: Stage) {
  await stage.once("citizen and vehicle", async () => {
    const identifier = "char1:0a1b2c3d";
    await Promise.all(
      [
        ["citizens.list", "--attributes", "fields=job,phone,licences,visum,playtime"],
        ["citizens.view"],
        ["vehicles.list", "--attributes", "fields=owner"],
      ].map(async (right) => {
        const allowed = await stage.run(["role", "allow", ...right], stage.instance);
        assert.equal(allowed.code, 0, allowed.stderr);
      }),
    );
    const jobs = [{ name: "police", grade: 1 }];
    await sendTo(stage.url, "users", [
      { identifier, firstName: "Mara", lastName: "Lind", jobs, visum: 7, playtime: 3600 },
      { identifier: "char1:nameless", firstName: "", lastName: "Halfnamed", jobs },
    ]);
    await sendTo(stage.url, "vehicles", [{ plate: "AB 123", model: "sultan", type: "car", ownerIdentifier: identifier }]);
  });
  const { token } = await stage.person("officer");
  const read = async (address: string) => {
    const answer = await call(stage.url, address, { token });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const row = (await read("/api/citizens?q=mara")).items[0];
  return {
    row,
    profile: await read(`/api/citizens/${row.id}`),
    vehicle: (await read("/api/vehicles")).items[0],
    names: ((await read("/api/citizens")).items as { lastName: string }[]).map(({ lastName }) => lastName),
  };
}

type Seen = Awaited<ReturnType<typeof citizenAndVehicle>>;

/** A field that comes from another column with the first value, and from none with the second. */
const column = (option: string, other: string, check: (seen: Seen, value: number) => void) => ({
  group: "records",
  play: (stage: Stage) => ({
    settings: [{ [option]: other }, { [option]: "-" }],
    observe: async (value: number) => check(await citizenAndVehicle(stage), value),
  }),
});

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
        [a, b].map(({ instance }) => existsSync(path.join(instance.folder, "data", "city.db"))),
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
          const { instance, url } = await kit.start({
            "database.dsn": database.dsn({ port: proxy.port }),
            "database.disableLocking": disableLocking,
          });
          await player(instance, "locked");
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
      const instance = await kit.instance({ "database.dsn": left.dsn(), "database.skipMigrations": true });
      const [, refused] = await Promise.all([kit.start({ "database.dsn": migrated.dsn() }), kit.launch(instance).exited]);
      assert.equal(refused, 1);
      assert.ok((await tablesOf(migrated)).includes("citizens"));
      assert.equal((await tablesOf(left)).includes("citizens"), false);
      const again = kit.launch(instance);
      await again.exited;
      assert.match(again.stderr(), /rollcall migrate/);
      assert.equal((await kit.run(["migrate"], instance)).code, 0);
      await kit.serve(instance);
    },
  },
  {
    option: `${columns}.user.visum`,
    first: {
      value: "playtime",
      observed: "the visa level in the API is the value of the column playtime",
    },
    second: { value: '"-"', observed: "visum is absent from list and profile" },
    ...column(`${columns}.user.visum`, "playtime", ({ row, profile }, value) => {
      if (value === 0) assert.deepEqual([row.visum, profile.visum], [3600, 3600]);
      else assert.deepEqual(["visum" in row, "visum" in profile], [false, false]);
    }),
  },
  {
    option: `${columns}.user.playtime`,
    first: { value: "visum", observed: "the play time in the API is the value of the column visum" },
    second: { value: '"-"', observed: "playtime is absent from list and profile" },
    ...column(`${columns}.user.playtime`, "visum", ({ row, profile }, value) => {
      if (value === 0) assert.deepEqual([row.playtime, profile.playtime], [7, 7]);
      else assert.deepEqual(["playtime" in row, "playtime" in profile], [false, false]);
    }),
  },
  {
    option: `${columns}.vehicle.model`,
    first: { value: "plate", observed: "the model in the API is the value of the column plate" },
    second: { value: '"-"', observed: "model is absent" },
    ...column(`${columns}.vehicle.model`, "plate", ({ vehicle }, value) => {
      if (value === 0) assert.equal(vehicle.model, "AB 123");
      else assert.equal("model" in vehicle, false);
      assert.equal(vehicle.plate, "AB 123");
    }),
  },
  {
    option: "database.custom.conditions.user.filterEmptyName",
    first: { value: "false", observed: "a citizen without a first name is in the list" },
    second: { value: "true", observed: "the same citizen is in no list" },
    group: "records",
    play: (stage) => ({
      settings: [{}, { "database.custom.conditions.user.filterEmptyName": true }],
      async observe(value) {
        const { names } = await citizenAndVehicle(stage);
        const found = names.filter((name) => name === "Halfnamed" || name === "officer");
        assert.deepEqual(found, value === 0 ? ["Halfnamed", "officer"] : ["officer"]);
      },
    }),
  },
];

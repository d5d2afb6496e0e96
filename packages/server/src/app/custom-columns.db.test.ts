import { afterEach, describe, expect, test } from "vitest";
import { citizenFields, getCitizen, listCitizens } from "#features/citizens/citizens.contract.ts";
import { listVehicles } from "#features/vehicles/vehicles.contract.ts";
import { dsnText, startApp, type TestApp } from "#testkit/app.ts";
import { openTestDatabase, type TestDatabase, testedKinds } from "#testkit/database.ts";
import { createWorld } from "#testkit/world.ts";

const everything = { "citizens.list": { fields: [...citizenFields] }, "citizens.view": true, "vehicles.list": true } as const;

describe.each(["sqlite", "mariadb"] as const)("columns added by the operator (%s)", (kind) => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function added(columns: Readonly<Record<string, string>>) {
    const database = await openTestDatabase(kind);
    ends.push(
      async () => await database.close(),
      async () => await database.empty(),
    );
    const run = async (statement: string, values: readonly (string | number)[] = []) =>
      await database.db.exclusive("test.columns", async ({ connection }) => await connection.execute(statement, values));
    for (const [column, type] of Object.entries(columns)) {
      const [table = "", name = ""] = column.split("/");
      const quoted = kind === "sqlite" ? `"${name}"` : `\`${name}\``;
      await run(`alter table ${table} add column ${quoted} ${type}`);
      // Without a copy InnoDB keeps a trace of each column that a table ever had, until its rows are too long.
      const copy = kind === "mariadb" ? ", algorithm=copy" : "";
      ends.push(async () => await run(`alter table ${table} drop column ${quoted}${copy}`));
    }
    return { database, run };
  }

  async function start(database: TestDatabase, env: Readonly<Record<string, string>>): Promise<TestApp> {
    const named = Object.entries(env).map(([name, value]) => [`ROLLCALL_DATABASE_CUSTOM_COLUMNS_${name}`, value]);
    const app = await startApp({ dsn: dsnText(database.dsn), env: Object.fromEntries(named) });
    ends.push(async () => await app.close());
    return app;
  }

  test.skipIf(!testedKinds.includes(kind))("are shown in lists, profiles and live changes under any name", async () => {
    const { database, run } = await added({
      "citizens/my_visum": "bigint null default 4",
      "citizens/spielzeit in h": "double null default 2.9",
      "vehicles/typ.name": "varchar(50) null default 'Sultan RS'",
    });
    const app = await start(database, { USER_VISUM: "My_Visum", USER_PLAYTIME: "spielzeit in h", VEHICLE_MODEL: "typ.name" });
    const world = createWorld(app);
    const actor = await world.actor({ rights: everything });
    const id = await world.citizen({ identifier: "col:1", firstName: "Col", lastName: "Umn", visum: 1, playtime: 60 });
    const live = await run("select payload from outbox_events where type = 'citizens.changed' order by id desc limit 1");
    expect(JSON.parse(String(live.rows[0]?.["payload"])).items).toMatchObject([{ id, visum: 4, playtime: 2 }]);
    await run("update citizens set my_visum = 9 where id = ?", [id]);
    const { output } = await app.call(getCitizen, { params: { id } }, { token: actor.token });
    expect([output.visum, output.playtime]).toEqual([9, 2]);
    const list = await app.call(listCitizens, { query: { q: `CIT-${id}` } }, { token: actor.token });
    expect(list.output.items).toMatchObject([{ id, visum: 9, playtime: 2 }]);
    await world.vehicle({ plate: "COL 1", model: "sultan" });
    const vehicles = await app.call(listVehicles, { query: { q: "COL 1" } }, { token: actor.token });
    expect(vehicles.output.items).toMatchObject([{ plate: "COL 1", model: "Sultan RS" }]);
    const changed = await run("select payload from outbox_events where type = 'vehicles.changed' order by id desc limit 1");
    expect(JSON.parse(String(changed.rows[0]?.["payload"])).items).toMatchObject([{ plate: "COL 1", model: "Sultan RS" }]);
  });

  test.skipIf(!testedKinds.includes(kind)).each([
    ["USER_VISUM", "nope", /user\.visum: there is no column "nope" in citizens; write one of height, grade, visum, playtime, a/],
    ["USER_VISUM", "sync_hash", /user\.visum: sync_hash of citizens is internal bookkeeping of Rollcall and is never shown/],
    ["USER_VISUM", "VERSION", /user\.visum: version of citizens is internal bookkeeping of Rollcall/],
    ["USER_PLAYTIME", "deleted_at", /user\.playtime: deleted_at of citizens is internal bookkeeping of Rollcall/],
    ["USER_PLAYTIME", "last_name", /user\.playtime: last_name of citizens holds text, and the field is a number/],
    ["USER_PLAYTIME", "remark", /user\.playtime: the column "remark" of citizens is .*, and the field is a number/],
    ["VEHICLE_MODEL", "photo", /vehicle\.model: the column "photo" of vehicles is .*blob, and the field is a text/],
    ["VEHICLE_MODEL", "search_hash", /vehicle\.model: search_hash of vehicles is internal bookkeeping of Rollcall/],
  ] as const)("refuse the start where they are not possible: %s %s", async (option, value, message) => {
    const { database } = await added({ "citizens/remark": "varchar(20) null", "vehicles/photo": "blob null" });
    await expect(start(database, { [option]: value })).rejects.toThrow(message);
  });
});

import { expect, test } from "vitest";
import { days } from "#core/contract/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import { citizensViews } from "#features/citizens/citizens.contract.ts";
import { describeApps, type AppUnderTest } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  displayPreference,
  listPreferences,
  preferencesChanged,
  preferencesTopic,
  putPreference,
} from "./preferences.contract.ts";
import { preferencesTopics } from "./preferences.routes.ts";

const display = { params: { name: displayPreference.id } };
const views = { params: { name: citizensViews.id } };
const wanted = { views: [{ name: "Wanted", search: { q: "lind", job: "taxi" } }], opens: "Wanted" };

describeApps("preferences", (get) => {
  const list = async ({ cookie }: TestActor) => (await get().app.call(listPreferences, {}, { cookie })).output.items;

  async function sql({ app }: AppUnderTest, statement: string, values: (string | number)[] = []) {
    const { db } = app.process.container;
    return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
  }
  const accountOf = async ({ username }: TestActor) =>
    Number((await sql(get(), "select id from accounts where username = ?", [username]))[0]?.["id"]);

  test("are set, read on every device of the account and by nobody else", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    expect(await list(mine)).toEqual([]);
    const put = await app.call(putPreference, { ...display, body: { value: { scheme: "light" } } }, mine);
    expect(put.output).toEqual({ name: displayPreference.id, characterId: null, value: { scheme: "light" }, version: 1 });
    const again = await app.call(putPreference, { ...display, body: { value: { scheme: "dark" } } }, mine);
    expect(again.output.version).toBe(2);
    const same = await app.call(putPreference, { ...display, body: { value: { scheme: "dark" } } }, mine);
    expect(same.output.version).toBe(2);
    expect(await list(mine)).toEqual([again.output]);
    expect(await list(other)).toEqual([]);
  });

  test("of a character are kept apart, and only for a character of the account", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    const { characterId } = mine;
    const put = await app.call(putPreference, { ...views, body: { characterId, value: wanted } }, mine);
    expect(put.output).toMatchObject({ characterId, value: wanted, version: 1 });
    const refused = async (body: { characterId?: number; value: unknown }, of = views) =>
      (await app.call(putPreference, { ...of, body }, mine)).body;
    expect(await refused({ value: wanted })).toMatchObject({ status: 400, code: "preferences.characterNeeded" });
    expect(await refused({ characterId: other.characterId, value: wanted })).toMatchObject({
      status: 404,
      code: "preferences.characterUnknown",
    });
    expect(await refused({ characterId, value: {} }, display)).toMatchObject({
      status: 400,
      code: "preferences.notPerCharacter",
    });
    expect(await list(mine)).toEqual([put.output]);
  });

  test("refuse unknown names, and wrong values by preference and field", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const refused = async (name: string, value: unknown) =>
      (await app.call(putPreference, { params: { name }, body: { value } }, mine)).body;
    expect(await refused("preferences.nothing", {})).toMatchObject({ status: 404, code: "preferences.nameUnknown" });
    const wrong = { status: 400, code: "preferences.valueInvalid" };
    expect(await refused(displayPreference.id, { scheme: "pink" })).toMatchObject({
      ...wrong,
      params: { name: displayPreference.id, field: "scheme" },
    });
    expect(await refused(displayPreference.id, { colour: "pink" })).toMatchObject(wrong);
    expect(await refused(displayPreference.id, null)).toMatchObject(wrong);
    expect(await list(mine)).toEqual([]);
  });

  test("of more than 8 kB, or 100 kB together, are refused", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const { characterId } = mine;
    const filled = (letters: number) => ({
      opens: null,
      views: Array.from({ length: 8 }, (_, at) => ({
        name: `View ${at}`,
        search: Object.fromEntries(Array.from({ length: 11 }, (_none, field) => [`f${field}`, "a".repeat(letters)])),
      })),
    });
    const put = async (value: unknown) => await app.call(putPreference, { ...views, body: { characterId, value } }, mine);
    expect((await put(filled(100))).body).toMatchObject({ status: 413, code: "preferences.tooLarge", params: { most: 8 } });
    expect((await put(filled(60))).status).toBe(200);
    const account = await accountOf(mine);
    const kilobytes = JSON.stringify({ v: 1, value: "a".repeat(97 * 1024) });
    await sql(get(), "insert into preferences values (?, 0, 'x.large', ?, 1, 0)", [account, kilobytes]);
    expect((await put(filled(61))).body).toMatchObject({ status: 413, code: "preferences.full", params: { most: 100 } });
    expect((await put(filled(1))).status).toBe(200);
  });

  test("with a version are refused when they changed meanwhile; without one the last write wins", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const put = async (scheme: string, version?: number) =>
      await app.call(
        putPreference,
        { ...display, body: { value: { scheme }, ...(version === undefined ? {} : { version }) } },
        mine,
      );
    expect((await put("light", 1)).body).toMatchObject({ status: 409, code: "preferences.stale", current: null });
    expect((await put("light", 0)).output.version).toBe(1);
    expect((await put("dark", 0)).body).toMatchObject({ status: 409, current: { value: { scheme: "light" }, version: 1 } });
    expect((await put("dark")).output.version).toBe(2);
  });

  test("that this version cannot read are read as the default, and stay stored until they are set", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const account = await accountOf(mine);
    const stored = JSON.stringify({ v: 9, value: { scheme: "sepia" } });
    await sql(get(), "insert into preferences values (?, 0, ?, ?, 4, 0)", [account, displayPreference.id, stored]);
    await sql(get(), "insert into preferences values (?, 0, 'x.gone', ?, 1, 0)", [account, stored]);
    expect(await list(mine)).toEqual([{ name: displayPreference.id, characterId: null, value: {}, version: 4 }]);
    const [row] = await sql(get(), "select value from preferences where account_id = ? and name = ?", [
      account,
      displayPreference.id,
    ]);
    expect(row?.["value"]).toBe(stored);
    const put = await app.call(putPreference, { ...display, body: { value: { scheme: "auto" }, version: 4 } }, mine);
    expect(put.output).toMatchObject({ value: { scheme: "auto" }, version: 5 });
  });

  test("two devices that set a preference for the first time at once both succeed", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const schemes = ["light", "dark", "auto"];
    const answers = await Promise.all(
      schemes.map(async (scheme) => await app.call(putPreference, { ...display, body: { value: { scheme } } }, mine)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await list(mine)).toMatchObject([{ version: 3 }]);
  });

  test("of a character that was removed are deleted when the account sets one, and make room; those of a deleted one stay", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const account = await accountOf(mine);
    const [removed, deleted] = [await world.citizen(), await world.citizen()];
    const half = JSON.stringify({ v: 1, value: "a".repeat(95 * 1024) });
    const small = JSON.stringify({ v: 1, value: wanted });
    for (const [character, text] of [
      [removed, half],
      [deleted, small],
    ] as const)
      await sql(get(), "insert into preferences values (?, ?, ?, ?, 1, 0)", [account, character, citizensViews.id, text]);
    const put = async (search: string) => {
      const value = {
        opens: null,
        views: Array.from({ length: 20 }, (_none, at) => ({
          name: `${search} ${at}`,
          search: { q: "q".repeat(100), a: "a".repeat(100), b: "b".repeat(100) },
        })),
      };
      return await app.call(putPreference, { ...views, body: { characterId: mine.characterId, value } }, mine);
    };
    const characters = async () =>
      (await sql(get(), "select character_id from preferences where account_id = ? order by character_id", [account])).map(
        (row) => Number(row["character_id"]),
      );
    expect((await put("first")).body).toMatchObject({ status: 413, code: "preferences.full" });
    await sql(get(), "update citizens set deleted_at = 1 where id in (?, ?)", [removed, deleted]);
    expect((await put("first")).body).toMatchObject({ status: 413, code: "preferences.full" });
    await sql(get(), "delete from citizens where id = ?", [removed]);
    expect((await put("second")).status).toBe(200);
    expect(await characters()).toEqual([mine.characterId, deleted].toSorted((a, b) => a - b));
  });

  test("that are switched to and fro leave one audit entry a minute", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    const object = await accountOf(mine);
    const entries = async () =>
      await sql(get(), "select id from audit_entries where action = 'preferences.put' and object_id = ?", [String(object)]);
    for (const scheme of ["light", "dark", "light", "dark", "light", "dark"])
      expect((await app.call(putPreference, { ...display, body: { value: { scheme } } }, mine)).status).toBe(200);
    expect([1, 2]).toContain((await entries()).length);
  });

  test("are one statement to read, however many there are", async () => {
    const { app, world } = get();
    const mine = await world.actor();
    let read = 0;
    app.process.container.db.observe(({ unit }) => {
      if (unit === "preferences.list") read += 1;
    });
    await app.call(putPreference, { ...display, body: { value: {} } }, mine);
    await app.call(putPreference, { ...views, body: { characterId: mine.characterId, value: wanted } }, mine);
    const before = read;
    expect(await list(mine)).toHaveLength(2);
    expect(read - before).toBe(1);
  });

  test("of a purged account are deleted, and those of others stay", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    for (const one of [mine, other]) {
      await app.call(putPreference, { ...display, body: { value: {} } }, one);
      await app.call(putPreference, { ...views, body: { characterId: one.characterId, value: wanted } }, one);
    }
    const accountIds = [await accountOf(mine)];
    await app.process.container.db.write("test.purge", async (tx) => {
      await app.process.container.ports.outbox.emit(tx, accountsPurged, { key: "x", version: 1, payload: { accountIds } });
    });
    await expect.poll(async () => await list(mine)).toEqual([]);
    expect(await list(other)).toHaveLength(2);
  });

  test("of a purged character are deleted; those of the account and of others stay", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    for (const one of [mine, other]) {
      await app.call(putPreference, { ...display, body: { value: {} } }, one);
      await app.call(putPreference, { ...views, body: { characterId: one.characterId, value: wanted } }, one);
    }
    const { container, assembly } = app.process;
    const longAgo = container.ports.clock.now() - days(40);
    await sql(get(), "update citizens set deleted_at = ? where id = ?", [longAgo, mine.characterId]);
    await assembly.retain("citizens.purge", { kind: "system", name: "test" });
    const names = async (one: TestActor) => (await list(one)).map(({ name }) => name);
    await expect.poll(async () => await names(mine)).toEqual([displayPreference.id]);
    expect(await list(other)).toHaveLength(2);
  });
});

test("other pages of the account learn which preference changed, and nobody else does", async () => {
  const [binding] = preferencesTopics();
  expect(binding?.topic).toBe(preferencesTopic);
  const viewer = { accountId: 7 } as never;
  expect(await binding!.authorize(viewer, "8")).toBeNull();
  const grant = await binding!.authorize(viewer, "7");
  const payload = { accountId: 7, name: displayPreference.id };
  const [sent] = binding!.project!({ type: preferencesChanged.id, payload } as never);
  expect(sent).toMatchObject({ key: "7" });
  expect(grant?.view!(sent!.data)).toEqual({ name: displayPreference.id });
  expect(binding!.project!({ type: "x.y", payload } as never)).toEqual([]);
});

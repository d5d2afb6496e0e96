import { expect, test } from "vitest";
import { syncAccounts } from "#features/accounts/accounts.contract.ts";
import { citizenFields, getCitizen, listCitizens, syncUsers, syncUsersDelete } from "#features/citizens/citizens.contract.ts";
import { syncJobs } from "#features/jobs/jobs.contract.ts";
import { syncLicences } from "#features/licences/licences.contract.ts";
import { getVehicle, listVehicles, syncVehicles, syncVehiclesDelete } from "#features/vehicles/vehicles.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";

const sync = { token: testSecrets.sync };
const everything = {
  "citizens.list": { fields: [...citizenFields] },
  "citizens.view": true,
  "vehicles.list": { fields: ["owner"] },
} as const;

describeApps("fields that a call of the Sync API leaves out", (get) => {
  const one = (accepted: number) => ({ accepted, unchanged: 1 - accepted, rejected: [] });
  const rows = async (statement: string) =>
    (
      await get().app.process.container.db.exclusive(
        "test.rows",
        async ({ connection }) => await connection.execute(statement, []),
      )
    ).rows;
  const names = (identifier: string) => ({
    identifier,
    firstName: "Iris",
    lastName: "Keeper",
    jobs: [{ name: "police", grade: 2 }],
  });
  const whole = (identifier: string) => ({
    ...names(identifier),
    licence: "license:of-another",
    dateOfBirth: "1990-04-01",
    sex: "f",
    height: 172.5,
    phoneNumbers: [{ number: "555-31" }, { number: "555-32", primary: true }],
    licences: ["drive", "boat"],
    visum: 7,
    playtime: 3600,
  });
  const send = async (...items: object[]) =>
    (await get().app.call(syncUsers, { body: { items: items as never } }, sync)).body as object;
  const profile = async (identifier: string) => {
    const [row] = await rows(`select id from citizens where identifier = '${identifier}'`);
    const actor = await get().world.actor({ rights: everything });
    return (await get().app.call(getCitizen, { params: { id: Number(row?.["id"]) } }, { token: actor.token })).body;
  };

  test("stay as they are for a character", async () => {
    expect(await send(whole("left:1"))).toEqual(one(1));
    for (let again = 0; again < 2; again += 1) expect(await send(names("left:1"))).toEqual(one(0));
    expect(await send({ ...names("left:1"), lastName: "Kept", height: 180 })).toEqual(one(1));
    const found = await profile("left:1");
    expect(found).toMatchObject({
      version: 2,
      lastName: "Kept",
      dateOfBirth: "1990-04-01",
      sex: "f",
      height: 180,
      phoneNumber: "555-32",
      visum: 7,
      playtime: 3600,
    });
    expect(found.phoneNumbers.map((one: { number: string; primary: boolean }) => [one.number, one.primary])).toEqual([
      ["555-32", true],
      ["555-31", false],
    ]);
    expect(found.licences.map(({ type }: { type: string }) => type)).toEqual(["boat", "drive"]);
    expect((await rows("select licence from citizens where identifier = 'left:1'"))[0]?.["licence"]).toBe("of-another");
    expect(await send({ ...whole("left:1"), lastName: "Kept", height: 180 })).toEqual(one(0));
  });

  test("stay in the search index and in the event for open pages", async () => {
    const { app, world } = get();
    await send({ ...whole("left:2"), phoneNumbers: [{ number: "987-6543" }] });
    await send({ ...names("left:2"), firstName: "Irma" });
    const actor = await world.actor({ rights: everything });
    const { output } = await app.call(listCitizens, { query: { q: "987-6543" } }, { token: actor.token });
    expect(output.items.map((row) => row.firstName)).toEqual(["Irma"]);
    const events = await rows("select payload from outbox_events where type = 'citizens.changed' and payload like '%Irma%'");
    const [item] = (JSON.parse(String(events[0]?.["payload"])) as { items: unknown[] }).items;
    expect(item).toMatchObject({
      firstName: "Irma",
      height: 172.5,
      phoneNumbers: [{ number: "987-6543", primary: true }],
      licences: [{ type: "boat" }, { type: "drive" }],
    });
  });

  test("stay when a deleted character comes back, and are empty for a new one", async () => {
    await send(whole("left:3"));
    await get().app.call(syncUsersDelete, { body: { identifiers: ["left:3"] } }, sync);
    expect(await send(names("left:3"))).toEqual(one(1));
    expect(await profile("left:3")).toMatchObject({ sex: "f", visum: 7, phoneNumber: "555-32" });
    await send(names("left:4"));
    expect(await profile("left:4")).toMatchObject({ sex: null, height: null, visum: null, phoneNumbers: [], licences: [] });
    expect((await rows("select licence from citizens where identifier = 'left:4'"))[0]?.["licence"]).toBe("4");
  });

  test("are erased by null", async () => {
    await send(whole("null:1"));
    const erased = { licence: null, dateOfBirth: null, sex: null, height: null, visum: null, playtime: null };
    expect(await send({ ...names("null:1"), ...erased, phoneNumbers: null, licences: null })).toEqual(one(1));
    expect(await profile("null:1")).toMatchObject({
      ...{ dateOfBirth: null, sex: null, height: null, visum: null, playtime: null },
      ...{ phoneNumber: null, phoneNumbers: [], licences: [] },
    });
    expect((await rows("select licence from citizens where identifier = 'null:1'"))[0]?.["licence"]).toBe("1");
    expect(await send({ ...names("null:1"), ...erased, phoneNumbers: [], licences: [] })).toEqual(one(0));
  });

  test("differ from item to item within one batch", async () => {
    await send(whole("mixed:1"), whole("mixed:2"));
    const { sex: _sex, ...rest } = whole("mixed:2");
    expect(await send(names("mixed:1"), { ...rest, height: null }, names("mixed:3"))).toEqual({
      accepted: 2,
      unchanged: 1,
      rejected: [],
    });
    expect(await profile("mixed:2")).toMatchObject({ sex: "f", height: null });
  });

  test("stay for a vehicle and an account, and null erases", async () => {
    const { app, world } = get();
    const vehicle = async (item: object) =>
      (await app.call(syncVehicles, { body: { items: [{ plate: "KEEP 1", ...item }] } }, sync)).body as object;
    await vehicle({ model: "sultan", type: "car", ownerIdentifier: "char1:x", job: "police" });
    expect(await vehicle({})).toEqual(one(0));
    expect(await vehicle({ type: null })).toEqual(one(1));
    const [row] = await rows("select id, owner_identifier, job from vehicles where plate = 'KEEP 1'");
    expect([row?.["owner_identifier"], row?.["job"]]).toEqual(["char1:x", "police"]);
    const actor = await world.actor({ rights: everything });
    const { body } = await app.call(getVehicle, { params: { id: Number(row?.["id"]) } }, { token: actor.token });
    expect(body).toMatchObject({ model: "sultan", type: null, job: { name: "police" } });
    const { output } = await app.call(listVehicles, { query: { q: "sultan" } }, { token: actor.token });
    expect(output.items.map(({ plate }) => plate)).toContain("KEEP 1");

    const account = async (more: object) =>
      (await app.call(syncAccounts, { body: { items: [{ licence: "license:keep", groups: ["a"], ...more }] } }, sync))
        .body as object;
    const character = async () =>
      (await rows("select game_character from accounts where licence = 'keep'"))[0]?.["game_character"];
    await account({ lastCharacterIdentifier: "char1:keep" });
    expect(await account({})).toEqual(one(0));
    expect(await character()).toBe("char1:keep");
    expect(await account({ lastCharacterIdentifier: null })).toEqual(one(1));
    expect(await character()).toBeNull();
  });
});

describeApps("an id that one call of the Sync API repeats", (get) => {
  const rows = async (statement: string) =>
    (
      await get().app.process.container.db.exclusive(
        "test.rows",
        async ({ connection }) => await connection.execute(statement, []),
      )
    ).rows;
  const once = { accepted: 1, unchanged: 1, rejected: [] };
  const person = { identifier: "twice:1", firstName: "Two", jobs: [{ name: "police", grade: 0 }] };

  test("is stored as its last item says, field by field", async () => {
    const { app } = get();
    const items = [
      { ...person, lastName: "First", sex: "f" },
      { ...person, lastName: "Last", height: 160 },
    ];
    expect((await app.call(syncUsers, { body: { items } }, sync)).body).toEqual(once);
    const stored = await rows("select last_name, sex, height, version from citizens where identifier = 'twice:1'");
    expect(stored).toEqual([{ last_name: "Last", sex: "f", height: 160, version: 1 }]);
    expect((await app.call(syncUsers, { body: { items } }, sync)).body).toEqual({ accepted: 0, unchanged: 2, rejected: [] });
  });

  test("keeps its valid item when the other one is rejected", async () => {
    const { app } = get();
    const items = [
      { plate: "TWICE 1", model: "sultan" },
      { plate: "TWICE 1", model: 7 },
    ];
    const { body } = await app.call(syncVehicles, { body: { items: items as never } }, sync);
    expect(body).toMatchObject({ accepted: 1, unchanged: 0, rejected: [{ index: 1, code: "sync.itemInvalid" }] });
  });

  test("follows one rule for every kind", async () => {
    const { app } = get();
    const vehicles = [{ plate: "TWICE 2" }, { plate: "TWICE 2", model: "comet" }];
    expect((await app.call(syncVehicles, { body: { items: vehicles } }, sync)).body).toEqual(once);
    const jobs = ["First", "Last"].map((label) => ({ name: "twice", label, grades: [{ grade: 0, label }] }));
    expect((await app.call(syncJobs, { body: { items: jobs } }, sync)).body).toEqual(once);
    const licences = ["First", "Last"].map((label) => ({ type: "twice", label }));
    expect((await app.call(syncLicences, { body: { items: licences } }, sync)).body).toEqual(once);
    const accounts = [
      { licence: "twice", groups: ["one"] },
      { licence: "license:twice", groups: ["two"] },
    ];
    expect((await app.call(syncAccounts, { body: { items: accounts } }, sync)).body).toEqual(once);
    expect((await app.call(syncVehiclesDelete, { body: { plates: ["TWICE 2", "TWICE 2"] } }, sync)).body).toEqual(once);
    expect([
      ...(await rows("select model as last from vehicles where plate = 'TWICE 2'")),
      ...(await rows("select label as last from jobs where name = 'twice'")),
      ...(await rows("select label as last from jobs_grades where job = 'twice'")),
      ...(await rows("select label as last from licences where type = 'twice'")),
      ...(await rows("select staff_groups as last from accounts where licence = 'twice'")),
    ]).toEqual(["comet", "Last", "Last", "Last", '["two"]'].map((last) => ({ last })));
  });
});

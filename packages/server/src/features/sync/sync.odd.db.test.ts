import fc from "fast-check";
import { expect, test } from "vitest";
import { syncAccounts } from "#features/accounts/accounts.contract.ts";
import { listCitizens, syncUsers, syncUsersDelete, type SyncUser } from "#features/citizens/citizens.contract.ts";
import { syncJobs } from "#features/jobs/jobs.contract.ts";
import { syncLicences } from "#features/licences/licences.contract.ts";
import { listVehicles, syncVehicles, syncVehiclesDelete } from "#features/vehicles/vehicles.contract.ts";
import { type Answer, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { batchLimit, syncManifest, syncStatus } from "./sync.contract.ts";

const sync = { token: testSecrets.sync };

/** Ids that a collation, a normal form or a number would confuse; each is an id of its own. */
const ids = [
  ...["char1:ab", "Char1:ab", "CHAR1:AB", "char1:áb", "char1:a\u0301b", "char1:āb", "char1:ab\u200B", "char1:\u202Eab"],
  ...["1", "01", "1.0", "1e0", "-0", "0x1", "null", "true", "__proto__", "constructor", "'", "\\", "%", "_", '"', "a b", "a  b"],
  ...[
    "straße",
    "strasse",
    "STRASSE",
    "İ",
    "i̇",
    "ı",
    "I",
    "ﬁ",
    "fi",
    "ｆｉ",
    "٣",
    "3",
    "\u00C5",
    "\u212B",
    "A\u030A",
    "日本",
    "日夲",
  ],
  ...["👩‍👩‍👧‍👦", "👩", "👩🏽", "🇩🇪", "\uFFFD", "ÿ", "\u{10FFFF}", "x".repeat(32), "😀".repeat(32), "漢".repeat(32), "ﷺ".repeat(32)],
];

/** Not valid as ids: each is rejected with a message of its own, while the other items of its batch are stored. */
const noIds = [
  ...["", " ", "ab ", " ab", "ab\u00A0", "a\tb", "a\u0000b", "\uD800", "a\uDC00", "\uD83D", "x".repeat(65)],
  ...[7, null, {}, ["ab"], true],
];

const names = [
  ...["", " ", "Mara", " mara ", "Zoe\u0301", "Zoé", "O'Neill", "李小龙", "محمد", "עברית", "Ægir", "Ñandú", "ⅷ", "ﷺ".repeat(50)],
  ...[
    "😀".repeat(50),
    "\u0301".repeat(50),
    "\u202Eevil",
    "a\u200Bb",
    "<b>",
    "=1+1",
    "\\'\";--",
    "%_",
    "İİİ",
    "ǅ",
    "\uFEFFx",
    "\r\n",
  ],
];

const word = fc.constantFrom(...names);
const users = fc.array(
  fc.record({
    firstName: word,
    lastName: word,
    phone: fc.constantFrom(...ids.map((id) => Array.from(id).slice(0, 20).join("").trim())),
  }),
  { minLength: ids.length, maxLength: ids.length },
);

describeApps("odd data of the game", (get) => {
  const rows = async (statement: string) =>
    (
      await get().app.process.container.db.exclusive(
        "test.rows",
        async ({ connection }) => await connection.execute(statement, []),
      )
    ).rows;

  async function refusesOneByOne(send: (items: unknown[]) => Promise<Answer>, items: unknown[], good: unknown) {
    const { status, body } = await send([...items, good]);
    expect([status, body.rejected.map((one: { index: number }) => one.index)]).toEqual([200, items.map((_item, i) => i)]);
    expect(body.accepted).toBe(1);
    for (const [index, one] of (body.rejected as { index: number; code: string; message: string }[]).entries())
      expect(one).toMatchObject({ index, code: "sync.itemInvalid", message: expect.stringMatching(/^\w.* /) });
  }

  test("ids are distinguished character by character, and are stored as they were sent", async () => {
    const { app, world } = get();
    const [drawn = []] = fc.sample(users, { seed: 20_261_122, numRuns: 1 });
    const items = ids.map((identifier, i): SyncUser => {
      const { firstName = "", lastName = "", phone = "" } = drawn[i] ?? {};
      return {
        identifier,
        firstName,
        lastName,
        jobs: [{ name: "police", grade: 0 }],
        phoneNumbers: [{ number: phone }],
        playtime: i,
      };
    });
    const send = async (some: readonly SyncUser[]) => await app.call(syncUsers, { body: { items: [...some] } }, sync);
    expect((await send(items)).body).toEqual({ accepted: ids.length, unchanged: 0, rejected: [] });
    for (let again = 0; again < 2; again += 1)
      expect((await send(items)).body).toEqual({ accepted: 0, unchanged: ids.length, rejected: [] });

    const stored = await rows("select identifier, first_name, last_name from citizens order by playtime, id");
    const kept = (text: string) => text.trim();
    const expected = items.map((one) => [one.identifier, kept(one.firstName), kept(one.lastName)]);
    const found = stored.map((row) => [row["identifier"], row["first_name"], row["last_name"]]);
    expect(found).toEqual(expected);

    const changed = items.map((one) => ({ ...one, playtime: 1000 + (one.playtime ?? 0) }));
    expect((await send([...changed.slice(0, 20), ...items.slice(20)])).body).toEqual({
      accepted: 20,
      unchanged: ids.length - 20,
      rejected: [],
    });
    const manifest = await app.call(syncManifest, { params: { kind: "users" }, body: { ids } }, sync);
    expect(manifest.body).toEqual({ removed: 0, missingHere: [], missingHereTotal: 0 });

    const viewer = await world.actor({ rights: { "citizens.list": { fields: ["job", "phone"] } } });
    for (const q of [...names, ...ids].map((text) => Array.from(text).slice(0, 64).join("")))
      expect((await app.call(listCitizens, { query: { q } }, { token: viewer.token })).status).toBe(200);

    const gone = ids.filter((_id, i) => i % 2 === 0);
    const remove = async () => await app.call(syncUsersDelete, { body: { identifiers: gone } }, sync);
    expect((await remove()).body).toEqual({ accepted: gone.length, unchanged: 0, rejected: [] });
    expect((await remove()).body).toEqual({ accepted: 0, unchanged: gone.length, rejected: [] });
    const live = await rows("select identifier from citizens where deleted_at is null and playtime is not null");
    expect(live.map((row) => row["identifier"]).sort()).toEqual(ids.filter((id) => !gone.includes(id)).sort());
    expect((await send(items)).body).toMatchObject({ rejected: [] });
  });

  test("only the items with an invalid id are rejected", async () => {
    const { app } = get();
    const person = { firstName: "A", lastName: "B", jobs: [{ name: "police", grade: 0 }] };
    const sendUsers = async (items: unknown[]) => await app.call(syncUsers, { body: { items: items as never } }, sync);
    await refusesOneByOne(
      sendUsers,
      noIds.map((identifier) => ({ ...person, identifier })),
      { ...person, identifier: "fine" },
    );
    const odd: unknown[] = [
      ...[
        { firstName: 7 },
        { firstName: "\uD800" },
        { lastName: "a\0" },
        { jobs: [] },
        { jobs: [{ name: "police", grade: "3" }] },
      ],
      ...[
        { playtime: 1e300 },
        { playtime: -1 },
        { visum: 0.5 },
        { height: "172" },
        { licences: ["drive", "drive "] },
        { sex: "abc" },
      ],
    ].map((wrong, i) => ({ ...person, identifier: `odd ${i}`, ...wrong }));
    await refusesOneByOne(sendUsers, [...odd, null, [], "char1:ab", 7], { ...person, identifier: "fine too" });
    const sendVehicles = async (items: unknown[]) => await app.call(syncVehicles, { body: { items: items as never } }, sync);
    await refusesOneByOne(
      sendVehicles,
      noIds.map((plate) => ({ plate })),
      { plate: "FINE 1" },
    );
    const sendLicences = async (items: unknown[]) => await app.call(syncLicences, { body: { items: items as never } }, sync);
    await refusesOneByOne(
      sendLicences,
      noIds.map((type) => ({ type, label: "" })),
      { type: "fine", label: "" },
    );
    const sendJobs = async (items: unknown[]) => await app.call(syncJobs, { body: { items: items as never } }, sync);
    await refusesOneByOne(
      sendJobs,
      noIds.map((name) => ({ name, label: "", grades: [] })),
      { name: "fine", label: "", grades: [] },
    );
    const sendAccounts = async (items: unknown[]) => await app.call(syncAccounts, { body: { items: items as never } }, sync);
    const noLicences = [...noIds, "license:", "license: ab"];
    await refusesOneByOne(
      sendAccounts,
      noLicences.map((licence) => ({ licence, groups: [] })),
      { licence: "license:fine", groups: [] },
    );
  });

  test("plates, jobs, licences and accounts keep their ids too", async () => {
    const { app, world } = get();
    const plates = ids.filter((id) => Array.from(id).length <= 32);
    const vehicles = plates.map((plate) => ({ plate, model: plate, ownerIdentifier: plate }));
    const jobs = ids
      .filter((id) => Array.from(id).length <= 50)
      .map((name) => ({ name, label: name, grades: [{ grade: 0, label: name }] }));
    const licences = ids.map((type) => ({ type, label: type }));
    const accounts = ids
      .map((id) => ({ licence: `license:${id}`, groups: [id], lastCharacterIdentifier: id }))
      .filter(({ licence }) => Array.from(licence).length <= 64);
    const send = [
      [async () => await app.call(syncVehicles, { body: { items: vehicles } }, sync), vehicles.length],
      [async () => await app.call(syncJobs, { body: { items: jobs } }, sync), jobs.length],
      [async () => await app.call(syncLicences, { body: { items: licences } }, sync), licences.length],
      [async () => await app.call(syncAccounts, { body: { items: accounts } }, sync), accounts.length],
    ] as const;
    for (const [one, length] of send) {
      const first = (await one()).body;
      expect([first.accepted + first.unchanged, first.rejected]).toEqual([length, []]);
      expect((await one()).body).toEqual({ accepted: 0, unchanged: length, rejected: [] });
    }
    const viewer = await world.actor({ rights: { "vehicles.list": {} } });
    for (const q of ids)
      expect(
        (await app.call(listVehicles, { query: { q: Array.from(q).slice(0, 32).join("") } }, { token: viewer.token })).status,
      ).toBe(200);
    const removed = await app.call(syncVehiclesDelete, { body: { plates } }, sync);
    expect(removed.body).toEqual({ accepted: plates.length, unchanged: 0, rejected: [] });
  });

  test("a batch holds as many items as its limit, and an id that is repeated is accepted once", async () => {
    const { app } = get();
    const of = (count: number) => Array.from({ length: count }, (_one, i) => ({ plate: `FULL ${i}` }));
    const send = async (items: { plate: string }[]) => await app.call(syncVehicles, { body: { items } }, sync);
    expect((await send(of(batchLimit))).body).toEqual({ accepted: batchLimit, unchanged: 0, rejected: [] });
    const over = await send(of(batchLimit + 1));
    expect([over.status, over.body.code, over.body.params.field]).toEqual([400, "system.invalidInput", "items"]);
    const twice = await send([{ plate: "TWICE" }, { plate: "TWICE" }, { plate: "twice" }]);
    expect(twice.body).toEqual({ accepted: 2, unchanged: 1, rejected: [] });
    expect((await app.call(syncStatus, {}, sync)).status).toBe(200);
  });
});

import { describe, expect, test } from "vitest";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { avatarChanged, citizenFields, getCitizen, listCitizens, syncUsers, syncUsersDelete } from "./citizens.contract.ts";
import { citizensTopics } from "./citizens.routes.ts";
import { syncManifest } from "#features/sync/sync.contract.ts";

const sync = { token: testSecrets.sync };
const everything = {
  "citizens.list": { fields: [...citizenFields] },
  "citizens.view": true,
  "vehicles.list": { fields: ["owner"] },
} as const;

describeApps("citizens", (get) => {
  test("lists in the order of names, page by page, without gaps or repeats", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const names = ["Zoe", "Ádám", "adam", "Bo", "Čeněk"];
    for (const [i, lastName] of names.entries())
      await world.citizen({
        identifier: `order:${i}`,
        firstName: "Order",
        lastName,
        jobs: [{ name: "ordered", grade: 0 }],
      });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query: { limit: number; job: string; cursor?: string } = {
        limit: 2,
        job: "ordered",
        ...(cursor === undefined ? {} : { cursor }),
      };
      const { output } = await app.call(listCitizens, { query }, { token: actor.token });
      seen.push(...output.items.map((row) => row.lastName));
      expect(output.total).toBe(5);
      cursor = output.next ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(["Ádám", "adam", "Bo", "Čeněk", "Zoe"]);
  });

  test("lists in other orders, where people without the field come first, or last in the opposite direction", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const births = [null, "1990-01-02", "1980-05-05", null, "1990-01-02"];
    const ids: number[] = [];
    for (const [i, dateOfBirth] of births.entries()) {
      const user = { identifier: `born:${i}`, lastName: `Born${i}`, dateOfBirth, visum: i % 2 === 0 ? null : i };
      ids.push(await world.citizen({ ...user, jobs: [{ name: "born", grade: 0 }] }));
    }
    const list = async (order: NonNullable<InputOf<typeof listCitizens>["query"]["order"]>) => {
      const seen: number[] = [];
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const query: InputOf<typeof listCitizens>["query"] = {
          limit: 2,
          job: "born",
          order,
          ...(cursor === null ? {} : { cursor }),
        };
        const { items, next }: OutputOf<typeof listCitizens> = (await app.call(listCitizens, { query }, { token: actor.token }))
          .output;
        seen.push(...items.map(({ id }) => ids.indexOf(id)));
        cursor = next;
      }
      return seen;
    };
    expect(await list("dateOfBirth")).toEqual([0, 3, 2, 1, 4]);
    expect(await list("-dateOfBirth")).toEqual([4, 1, 2, 3, 0]);
    expect(await list("visum")).toEqual([0, 2, 4, 1, 3]);
    expect(await list("-name")).toEqual([4, 3, 2, 1, 0]);
    expect(await list("-updatedAt")).toEqual([4, 3, 2, 1, 0]);
  });

  test("a row has all jobs, in the statements of a list without them, and none where the viewer sees no jobs", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const blind = await world.actor({ rights: { "citizens.list": { fields: ["phone"] } } });
    const jobs = ["jobs-c", "jobs-a", "jobs-b"].map((name, grade) => ({ name, grade, primary: name === "jobs-b" }));
    await world.citizen({ identifier: "jobs:1", lastName: "Jobsmany", jobs });
    await world.citizen({ identifier: "jobs:2", lastName: "Jobsone", jobs: [{ name: "jobs-a", grade: 0 }] });
    const sent: string[] = [];
    const unobserve = app.process.container.db.observe(({ unit, sql }) => void (unit === "citizens.list" && sent.push(sql)));
    const { output } = await app.call(listCitizens, { query: { job: "jobs-a" } }, { token: actor.token });
    unobserve();
    const named = output.items.map((row) => [row.job?.name, row.jobs?.map(({ name, grade, primary }) => [name, grade, primary])]);
    expect(named).toEqual([
      [
        "jobs-b",
        [
          ["jobs-b", 2, true],
          ["jobs-a", 1, false],
          ["jobs-c", 0, false],
        ],
      ],
      ["jobs-a", [["jobs-a", 0, true]]],
    ]);
    expect(sent.filter((one) => !/from [`"]jobs(_grades|_properties)?[`"]/.test(one)).length).toBeLessThanOrEqual(3);
    const { output: cut } = await app.call(listCitizens, { query: { q: "Jobsmany" } }, { token: blind.token });
    expect(cut.items.map(({ lastName }) => lastName)).toEqual(["Jobsmany"]);
    expect(JSON.stringify(cut)).not.toMatch(/jobs-|"jobs?"/);
  });

  test("a search is ranked unless an order is asked for", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    await world.citizen({ identifier: "ranked:1", firstName: "Wilhelmina", lastName: "Abendroth", dateOfBirth: "1999-09-09" });
    await world.citizen({ identifier: "ranked:2", firstName: "Wilhelmine", lastName: "Zabendroth", dateOfBirth: "1955-05-05" });
    const find = async (order?: "dateOfBirth" | "-dateOfBirth") => {
      const query = { q: "wilhelmina abendroth", ...(order === undefined ? {} : { order }) };
      const { items, next } = (await app.call(listCitizens, { query }, { token: actor.token })).output;
      expect(next).toBeNull();
      return items.map(({ firstName }) => firstName);
    };
    expect((await find())[0]).toBe("Wilhelmina");
    expect(await find("dateOfBirth")).toEqual(["Wilhelmine", "Wilhelmina"]);
    expect(await find("-dateOfBirth")).toEqual(["Wilhelmina", "Wilhelmine"]);
  });

  test("an order by a field that the viewer does not see is refused, and so is the cursor of another order", async () => {
    const { app, world } = get();
    const blind = await world.actor({ rights: { "citizens.list": { fields: ["job"] } } });
    for (const order of ["visum", "-visum"] as const) {
      const refused = await app.call(listCitizens, { query: { order } }, { token: blind.token });
      expect([refused.status, refused.body.code]).toEqual([403, "citizens.fieldHidden"]);
    }
    const query = { limit: 1, order: "updatedAt" } as const;
    const { next } = (await app.call(listCitizens, { query }, { token: blind.token })).output;
    const other = await app.call(listCitizens, { query: { limit: 1, cursor: next ?? "" } }, { token: blind.token });
    expect([other.status, other.body.code, other.text]).toEqual([
      400,
      "system.invalidInput",
      expect.stringContaining("query.cursor"),
    ]);
    expect((await app.call(listCitizens, { query: { ...query, cursor: next ?? "" } }, { token: blind.token })).status).toBe(200);
  });

  describe("search", () => {
    test.each(["Saoirse Mac", "mac saoirse", "saorise", "Saoirse MacNamra", "Sáoirse"])(
      "finds Saoirse MacNamara by %s",
      async (q) => {
        const { app, world } = get();
        const actor = await world.actor({ rights: everything });
        const id = await world.citizen({
          identifier: "search:1",
          firstName: "Saoirse",
          lastName: "MacNamara",
        });
        const { output } = await app.call(listCitizens, { query: { q } }, { token: actor.token });
        expect(output.items[0]?.id).toBe(id);
      },
    );

    test("finds by id, phone, plate and birth date", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: everything });
      const id = await world.citizen({
        identifier: "find:1",
        firstName: "Fay",
        lastName: "Findable",
        dateOfBirth: "24.12.1981",
        phoneNumbers: [{ number: "555-77881" }],
      });
      await world.vehicle({ plate: "QQX 9911", ownerIdentifier: "find:1" });
      await world.vehicle({ plate: "ZAPHOD", ownerIdentifier: "find:1" });
      const plates = ["qx99", "QX 99", "zaph"].map((plate) => ({ plate }));
      for (const query of [{ q: `CIT-${id}` }, { phone: "7788" }, ...plates, { dateOfBirth: "1981-12-24" }]) {
        const { output } = await app.call(listCitizens, { query }, { token: actor.token });
        expect([query, output.items.map((row) => row.id)]).toEqual([query, [id]]);
      }
      const sent: string[] = [];
      const unobserve = app.process.container.db.observe(({ unit, sql }) => void (unit === "citizens.list" && sent.push(sql)));
      await app.call(listCitizens, { query: { plate: "x 991" } }, { token: actor.token });
      unobserve();
      expect(sent.length).toBeLessThanOrEqual(4);
    });
  });

  test("a phone filter without a digit is refused, and a blank one is none", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: { "citizens.list": { fields: ["phone"] } } });
    const refused = await app.call(listCitizens, { query: { phone: "abc" } }, { token: actor.token });
    expect([refused.status, refused.body.code, refused.body["params"]]).toEqual([
      400,
      "system.invalidInput",
      { field: "query.phone", problem: "has no digit: type a part of a phone number" },
    ]);
    expect((await app.call(listCitizens, { query: { phone: " " } }, { token: actor.token })).status).toBe(200);
  });

  test("a phone filter with a job considers everyone in the job", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const people = Array.from({ length: 260 }, (_one, i) => ({
      identifier: `many:${i}`,
      firstName: "Many",
      lastName: `Caller${i}`,
      jobs: [{ name: i === 259 ? "rare-job" : "common-job", grade: 0 }],
      phoneNumbers: [{ number: `444-${String(i).padStart(4, "0")}` }],
    }));
    await app.call(syncUsers, { body: { items: people } }, sync);
    const rare = await app.call(listCitizens, { query: { phone: "444", job: "rare-job" } }, { token: actor.token });
    expect(rare.output.items.map((row) => row.lastName)).toEqual(["Caller259"]);
    const common = await app.call(
      listCitizens,
      { query: { phone: "444", job: "common-job", limit: 200 } },
      { token: actor.token },
    );
    expect([common.output.items.length, common.output.total, common.output.next === null]).toEqual([200, 259, false]);
  });

  describe("restricted fields", () => {
    test("never leave the server without their permission", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "citizens.list": { fields: [] }, "citizens.view": true } });
      const id = await world.citizen({
        identifier: "secret:1",
        lastName: "Secretive",
        phoneNumbers: [{ number: "555-SECRET" }],
        licences: ["secret-licence"],
        jobs: [{ name: "secret-job", grade: 0 }],
        visum: 424242,
        playtime: 535353,
      });
      for (const answer of [
        await app.call(getCitizen, { params: { id } }, { token: actor.token }),
        await app.call(listCitizens, { query: { q: "Secretive" } }, { token: actor.token }),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.text).toContain("Secretive");
        for (const secret of ["555-SECRET", "secret-licence", "secret-job", "424242", "535353"])
          expect(answer.text).not.toContain(secret);
      }
      const { output } = await app.call(getCitizen, { params: { id } }, { token: actor.token });
      expect(output.hidden.map(({ field }) => field).sort()).toEqual([...citizenFields].sort());
    });

    test("cannot be searched either, and the refusal names the permission", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "citizens.list": { fields: [] } } });
      await world.citizen({
        identifier: "secret:2",
        lastName: "Hider",
        phoneNumbers: [{ number: "991-8877" }],
      });
      const byPhone = await app.call(listCitizens, { query: { phone: "8877" } }, { token: actor.token });
      expect([byPhone.status, byPhone.body.code, byPhone.body.params.field]).toEqual([403, "citizens.fieldHidden", "phone"]);
      const byPlate = await app.call(listCitizens, { query: { plate: "AB" } }, { token: actor.token });
      expect([byPlate.status, byPlate.body.code]).toEqual([403, "vehicles.fieldHidden"]);
      const byText = await app.call(listCitizens, { query: { q: "991-8877" } }, { token: actor.token });
      expect(byText.output.items).toEqual([]);
    });

    test("are each shown by their own permission", async () => {
      const { app, world } = get();
      const actor = await world.actor({
        rights: { "citizens.list": { fields: ["visum"] }, "citizens.view": true },
      });
      const id = await world.citizen({ identifier: "own:1", visum: 7, playtime: 8 });
      const { body } = await app.call(getCitizen, { params: { id } }, { token: actor.token });
      expect(body).toMatchObject({ visum: 7 });
      expect(body).not.toHaveProperty("playtime");
    });
  });

  test("an unknown or deleted citizen is 404, and the answer names nothing", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const id = await world.citizen({ identifier: "gone:1", lastName: "Gone" });
    await app.call(syncUsersDelete, { body: { identifiers: ["gone:1"] } }, sync);
    for (const wanted of [id, 999_999_999]) {
      const answer = await app.call(getCitizen, { params: { id: wanted } }, { token: actor.token });
      expect([answer.status, answer.body.code, answer.body.params]).toEqual([404, "citizens.notFound", {}]);
    }
    expect(
      (await app.call(listCitizens, { query: { q: "Gone" } }, { token: actor.token })).output.items.map((row) => row.id),
    ).not.toContain(id);
  });

  describe("sync", () => {
    const user = (n: number, more = {}) => ({
      identifier: `sync:${n}`,
      firstName: "Syn",
      lastName: `Chronous${n}`,
      jobs: [{ name: "syncjob", grade: 2 }],
      ...more,
    });

    test("stores valid items although others are invalid", async () => {
      const { app } = get();
      const items = [user(1), { ...user(2), firstName: 5 }, user(3), { ...user(1), firstName: 6 }];
      const { body } = await app.call(syncUsers, { body: { items: items as never } }, sync);
      expect(body).toMatchObject({ accepted: 2, unchanged: 0 });
      expect(body.rejected).toMatchObject([
        { index: 1, id: "sync:2", code: "sync.itemInvalid", message: "firstName must be a text" },
        { index: 3, id: "sync:1", code: "sync.itemInvalid", message: "firstName must be a text" },
      ]);
    });

    test("an equal payload writes nothing and emits nothing", async () => {
      const { app, writes } = get();
      await app.call(syncUsers, { body: { items: [user(10)] } }, sync);
      // The call is in the audit log, and its source has a later time of its last call.
      const written = writes(["audit_entries", "sync_sources"]);
      const { body } = await app.call(syncUsers, { body: { items: [user(10)] } }, sync);
      expect(body).toEqual({ accepted: 0, unchanged: 1, rejected: [] });
      expect(written.tables()).toEqual([]);
    });

    test("a deleted citizen that is sent again is restored under the same id", async () => {
      const { app, world } = get();
      const id = await world.citizen(user(20));
      expect((await app.call(syncUsersDelete, { body: { identifiers: ["sync:20", "never-seen"] } }, sync)).body).toMatchObject({
        accepted: 1,
        unchanged: 1,
      });
      expect(await world.citizen(user(20))).toBe(id);
      const actor = await world.actor({ rights: everything });
      expect((await app.call(getCitizen, { params: { id } }, { token: actor.token })).body.version).toBe(3);
    });

    test("several jobs, licences and phone numbers; the batch limit is enforced", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: everything });
      const id = await world.citizen(
        user(30, {
          jobs: [
            { name: "one", grade: 1 },
            { name: "two", grade: 2, primary: true },
          ],
          phoneNumbers: [{ number: "1" }, { number: "2", primary: true }],
          licences: ["b", "a", "a"],
        }),
      );
      const { body } = await app.call(getCitizen, { params: { id } }, { token: actor.token });
      expect(body.job.name).toBe("two");
      expect(body.jobs.map((job: { name: string; primary: boolean }) => [job.name, job.primary])).toEqual([
        ["two", true],
        ["one", false],
      ]);
      expect([body.phoneNumber, body.licences.map((licence: { type: string }) => licence.type)]).toEqual(["2", ["a", "b"]]);
      const many = Array.from({ length: 501 }, (_one, i) => user(1000 + i));
      expect((await app.call(syncUsers, { body: { items: many } }, sync)).status).toBe(400);
    });

    test("a manifest removes the missing, and more than a tenth only when the count is confirmed", async () => {
      const { app, writes } = get();
      const items = Array.from({ length: 60 }, (_one, i) => user(5000 + i));
      await app.call(syncUsers, { body: { items } }, sync);
      const total = await liveIdentifiers();
      const keep = total.filter((id) => id !== "sync:5000");
      const one = await app.call(syncManifest, { params: { kind: "users" }, body: { ids: [...keep, "not-here"] } }, sync);
      expect(one.body).toEqual({ removed: 1, missingHere: ["not-here"], missingHereTotal: 1 });
      const few = keep.slice(0, 5);
      const written = writes(["audit_entries"]);
      const refused = await app.call(syncManifest, { params: { kind: "users" }, body: { ids: few } }, sync);
      expect([refused.status, refused.body.code, refused.body.params.missing]).toEqual([
        409,
        "sync.manifestTooUncertain",
        keep.length - 5,
      ]);
      expect(written.tables()).toEqual([]);
      const confirmed = await app.call(
        syncManifest,
        { params: { kind: "users" }, body: { ids: few, confirm: keep.length - 5 } },
        sync,
      );
      expect(confirmed.body.removed).toBe(keep.length - 5);

      async function liveIdentifiers(): Promise<string[]> {
        const { rows } = await app.process.container.db.exclusive(
          "test",
          async ({ connection }) => await connection.execute("select identifier from citizens where deleted_at is null", []),
        );
        return rows.map((row) => row["identifier"] as string);
      }
    });
  });
});

test("a changed picture is published to its own player and to viewers who see citizens, as an id alone", async () => {
  const topics = citizensTopics({ viewScopeOf: () => ({ fields: new Set(), licenceTypes: undefined }) } as never);
  const [all, one] = ["avatars", "avatars/:id"].map((name) => topics.find(({ topic }) => topic.name === name)!);
  const viewer = (...held: string[]) => ({ characterId: 12, rights: { has: (id: string) => held.includes(id) } }) as never;
  expect(await all!.authorize(viewer("citizens.view"), null)).toBeNull();
  expect(await all!.authorize(viewer("citizens.list"), null)).not.toBeNull();
  expect(await one!.authorize(viewer(), "13")).toBeNull();
  expect(await one!.authorize(viewer("citizens.view"), "13")).not.toBeNull();
  const grant = await one!.authorize(viewer(), "12");
  const [message] = one!.project!({ type: avatarChanged.id, payload: { id: 12 } } as never);
  expect([message!.key, grant!.view(message!.data)]).toEqual(["12", { id: 12 }]);
  expect(all!.project!({ type: avatarChanged.id, payload: { id: 12 } } as never)).toEqual([{ key: null, data: { id: 12 } }]);
  expect(one!.project!({ type: "citizens.changed", payload: {} } as never)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import type { AppUnderTest } from "#testkit/suite.ts";
import { describeApps } from "#testkit/suite.ts";
import { enterJobAdmin, token as tokenOperation } from "#features/auth/auth.contract.ts";
import { listVehicles } from "#features/vehicles/vehicles.contract.ts";
import {
  accessCatalogue,
  createRole,
  defaultHistory,
  deleteRole,
  getDefaultRole,
  getLimits,
  getRole,
  listLimits,
  listRoles,
  myRights,
  putDefaultRole,
  putLimits,
  putRole,
  rightsOf,
  roleHistory,
  undoDefault,
  undoRole,
} from "./access.contract.ts";

const editor = { "access.editRoles": true, "access.viewRoles": true, "vehicles.list": { fields: ["owner"] } } as const;
const allow = (attributes = {}) => ({ allow: true, attributes });
const deny = { allow: false, attributes: {} };
const list = (fields: string[]) => ({ "vehicles.list": allow({ fields }) });

let numbers = 0;

describeApps("roles", (get) => {
  /** A job of its own with a boss at grade 3 who edits, and the role of grade 1. */
  async function crew({ app, world }: AppUnderTest, rights: Parameters<typeof world.grant>[2] = editor) {
    numbers += 1;
    const job = `crew${numbers}`;
    await world.job(job, [0, 1, 2, 3, 4]);
    const boss = await world.actor({ job, grade: 3, rights });
    await world.grant(job, 1, { "vehicles.list": { fields: [] } });
    const token = await world.tokenOf(boss);
    const role = { job, grade: 1 };
    const read = async () => (await app.call(getRole, { params: role }, { token })).output;
    const put = async (grants: object, version?: number) =>
      await app.call(
        putRole,
        { params: role, body: { version: version ?? (await read()).version, grants: grants as never } },
        { token },
      );
    return { job, boss, token, role, read, put };
  }

  const rowsOf = async ({ app }: AppUnderTest, statement: string) =>
    await app.process.container.db.exclusive(
      "test.rows",
      async ({ connection }) => (await connection.execute(statement, [])).rows,
    );

  test("the catalogue names every permission with its attributes, and the bundles", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor();
    const { status, output } = await app.call(accessCatalogue, {}, { cookie });
    expect(status).toBe(200);
    expect(output.permissions.find(({ id }) => id === "vehicles.list")).toEqual({
      id: "vehicles.list",
      feature: "vehicles",
      attributes: [{ name: "fields", type: "strings", values: ["owner"] }],
    });
    expect(output.bundles.map(({ name }) => name)).toContain("gang");
    expect(output.bundles.find(({ name }) => name === "police")?.grants["vehicles.list"]).toEqual(allow({ fields: ["owner"] }));
  });

  test("grades up to the own one are listed, and those below it can be edited", async () => {
    const { app } = get();
    const { job, token } = await crew(get());
    const { output } = await app.call(listRoles, { params: { job } }, { token });
    expect(output.grades.map(({ grade, mayEdit, role }) => [grade, mayEdit, role !== null])).toEqual([
      [3, false, true],
      [2, true, false],
      [1, true, true],
      [0, true, false],
    ]);
    expect(output.grades.map(({ held, people }) => [held, people])).toEqual([
      [3, 1],
      [1, 0],
      [1, 0],
      [0, 0],
    ]);
    const above = await app.call(getRole, { params: { job, grade: 4 } }, { token });
    expect([above.status, above.body.code]).toEqual([404, "access.roleUnknown"]);
    const own = await app.call(putRole, { params: { job, grade: 3 }, body: { version: 1, grants: {} } }, { token });
    expect([own.status, own.body.code, own.body.params]).toEqual([403, "access.gradeNotBelow", { grade: 3, own: 3 }]);
  });

  test("roles of another job are answered with 404", async () => {
    const { app, world } = get();
    const { token } = await crew(get());
    const other = await crew(get());
    const params = other.role;
    const tries = [
      app.call(listRoles, { params: { job: other.job } }, { token }),
      app.call(getRole, { params }, { token }),
      app.call(roleHistory, { params }, { token }),
      app.call(putRole, { params, body: { version: 1, grants: {} } }, { token }),
      app.call(createRole, { params, body: { grade: 0 } }, { token }),
      app.call(deleteRole, { params }, { token }),
      app.call(undoRole, { params: { ...params, version: 1 } }, { token }),
      app.call(rightsOf, { query: { job: other.job, grade: 0 } }, { token }),
      app.call(rightsOf, { query: { citizenId: (await world.actor({ job: other.job, grade: 0 })).characterId } }, { token }),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 404));
  });

  test("a role is created once, for a grade that exists", async () => {
    const { app } = get();
    const { job, token } = await crew(get());
    const create = async (grade: number) => {
      const { status, body } = await app.call(createRole, { params: { job }, body: { grade } }, { token });
      return [status, body.code ?? body.version];
    };
    expect(await create(2)).toEqual([200, 1]);
    expect(await create(2)).toEqual([409, "access.roleExists"]);
    expect(await create(3)).toEqual([403, "access.gradeNotBelow"]);
    expect(await create(7)).toEqual([404, "access.roleUnknown"]);
  });

  test("a change is in the answer, the rights, the history and the audit log; the same change again writes nothing", async () => {
    const { app, world } = get();
    const { job, put, read } = await crew(get());
    const member = await world.actor({ job, grade: 2 });
    const before = await read();
    const changed = await put({ ...list(["owner"]), "citizens.view": deny });
    expect(changed.output.version).toBe(before.version + 1);
    expect(changed.output.decisions.find(({ permission }) => permission === "vehicles.list")).toMatchObject({
      held: true,
      reason: "role",
      from: { job, grade: 1 },
      attributes: [{ name: "fields", value: ["owner"] }],
    });
    expect((await app.call(listVehicles, { query: {} }, { token: await world.tokenOf(member) })).status).toBe(200);
    const [entry] = await rowsOf(get(), "select * from audit_entries where action = 'access.putRole' order by id desc limit 1");
    expect(JSON.parse(String(entry?.["data"]))).toMatchObject({
      before: { "citizens.view": null, "vehicles.list": allow({ fields: [] }) },
      after: { "citizens.view": deny, "vehicles.list": allow({ fields: ["owner"] }) },
    });
    // Raising the epoch is the lock of all changes.
    const written = get().writes(["access_epochs"]);
    expect((await put({ ...list(["owner"]), "citizens.view": deny })).status).toBe(200);
    expect(written.tables()).toEqual([]);
  });

  test("a stale version is 409 and changes nothing", async () => {
    const { put, read } = await crew(get());
    const { version } = await read();
    await put(list(["owner"]));
    const stale = await put({}, version);
    expect([stale.status, stale.body.code]).toEqual([409, "access.stale"]);
    expect((await read()).grants).toEqual(list(["owner"]));
  });

  test("unknown permissions, attributes and values are 400", async () => {
    const { put } = await crew(get());
    const code = async (grants: object) => {
      const { status, body } = await put(grants);
      return [status, body.code];
    };
    expect(await code({ "nothing.here": allow() })).toEqual([400, "access.permissionUnknown"]);
    expect(await code({ "vehicles.list": allow({ nothing: [] }) })).toEqual([400, "access.attributeUnknown"]);
    expect(await code(list(["wheels"]))).toEqual([400, "access.attributeValueInvalid"]);
    expect(await code({ "vehicles.list": allow({ fields: { police: 1 } }) })).toEqual([400, "access.attributeValueInvalid"]);
    expect(await code({ "vehicles.list": { allow: "yes", attributes: {} } })).toEqual([400, "system.invalidInput"]);
    expect(await code({ "vehicles.list": allow({ fields: { police: -1 } }) })).toEqual([400, "system.invalidInput"]);
  });

  describe("an editor cannot give what they do not hold", () => {
    test("by a permission or a value; job admin can", async () => {
      const { app, world } = get();
      const { put, role, job } = await crew(get(), { ...editor, "vehicles.list": { fields: [] } });
      for (const grants of [{ "citizens.view": allow() }, list(["owner"])]) {
        const { status, body } = await put(grants);
        expect([status, body.code]).toEqual([403, "access.beyondYourRights"]);
        expect(body.params.permission).toContain(Object.keys(grants)[0]);
      }
      const admin = await world.actor({ groups: ["lead"] });
      await app.call(enterJobAdmin, { body: { reason: "ticket 12", job } }, { token: admin.token });
      const token = await world.tokenOf(admin);
      const { version } = (await app.call(getRole, { params: role }, { token })).output;
      const done = await app.call(putRole, { params: role, body: { version, grants: list(["owner"]) } }, { token });
      expect(done.status).toBe(200);
      const [entry] = await rowsOf(
        get(),
        "select admin_reason from audit_entries where action = 'access.putRole' order by id desc limit 1",
      );
      expect(entry?.["admin_reason"]).toBe("ticket 12");
    });

    test("by removing, deleting or undoing a refusal", async () => {
      const { app, world } = get();
      const { job, token } = await crew(get());
      await world.grant(job, 0, { "citizens.view": true });
      await world.grant(job, 2, { "citizens.view": false });
      const params = { job, grade: 2 };
      const fresh = { token: await world.tokenOf(await crewBoss(job)) };
      const { version } = (await app.call(getRole, { params }, { token })).output;
      const tries = [
        await app.call(putRole, { params, body: { version, grants: {} } }, fresh),
        await app.call(deleteRole, { params }, fresh),
        await app.call(undoRole, { params: { ...params, version } }, fresh),
      ];
      expect(tries.map(({ status, body }) => [status, body.code, body.params.permission])).toEqual(
        tries.map(() => [403, "access.beyondYourRights", "citizens.view"]),
      );
    });

    /** Another boss of the same job, with the rights of its roles. */
    async function crewBoss(job: string) {
      return await get().world.actor({ job, grade: 3 });
    }

    test("nor take from themselves what they could not give back", async () => {
      const { app, world } = get();
      numbers += 1;
      const job = `crew${numbers}`;
      await world.job(job, [0, 1, 2, 3]);
      const boss = await world.actor({ job, grade: 3 });
      await world.grant(job, 1, editor);
      const token = await world.tokenOf(boss);
      const params = { job, grade: 1 };
      const { version } = (await app.call(getRole, { params }, { token })).output;
      const tries = [
        await app.call(deleteRole, { params }, { token }),
        await app.call(putRole, { params, body: { version, grants: { "access.editRoles": deny } } }, { token }),
      ];
      expect(tries.map(({ status, body }) => [status, body.code])).toEqual(tries.map(() => [409, "access.takesFromYourself"]));
    });
  });

  test("the history names actor and changes; any change is undone alone", async () => {
    const { app } = get();
    const { put, role, token, boss, read } = await crew(get());
    await put({ ...list([]), "citizens.view": deny });
    const { version } = await read();
    await put({ ...list(["owner"]), "citizens.view": deny });
    const { revisions } = (await app.call(roleHistory, { params: role }, { token })).output;
    expect(revisions.slice(0, 2)).toEqual([
      {
        version: version + 1,
        at: expect.any(Number),
        by: boss.username,
        changes: [{ permission: "vehicles.list", before: allow({ fields: [] }), after: allow({ fields: ["owner"] }) }],
      },
      {
        version,
        at: expect.any(Number),
        by: boss.username,
        changes: [{ permission: "citizens.view", before: null, after: deny }],
      },
    ]);
    const undone = await app.call(undoRole, { params: { ...role, version } }, { token });
    expect([undone.status, undone.output.grants, undone.output.version]).toEqual([200, list(["owner"]), version + 2]);
    const unknown = await app.call(undoRole, { params: { ...role, version: 999 } }, { token });
    expect([unknown.status, unknown.body.code]).toEqual([404, "access.revisionUnknown"]);
  });

  test("a deleted role is restored by undo, with a version that was never used", async () => {
    const { app } = get();
    const { role, token, read } = await crew(get());
    const before = await read();
    expect((await app.call(deleteRole, { params: role }, { token })).output).toEqual({
      version: before.version + 1,
      affected: 0,
    });
    expect(await read()).toMatchObject({ version: 0, grants: {} });
    expect((await app.call(deleteRole, { params: role }, { token })).body.code).toBe("access.roleUnknown");
    const back = await app.call(undoRole, { params: { ...role, version: before.version + 1 } }, { token });
    expect(back.output).toMatchObject({ version: before.version + 2, grants: before.grants });
  });

  test("limits clip what a job may hand out, are named as the reason, and restore it when raised", async () => {
    const { app, world } = get();
    const { job, role, boss } = await crew(get());
    await world.grant(job, 1, { "vehicles.list": { fields: ["owner"] }, "citizens.view": true });
    const admin = await world.actor({ groups: ["lead"], jobAdmin: true });
    const put = async (limits: object | null, version: number) =>
      await app.call(putLimits, { params: { job }, body: { version, limits: limits as never } }, { token: admin.token });
    const rights = async () => {
      const { body } = await app.call(tokenOperation, { body: { characterId: boss.characterId } }, { cookie: boss.cookie });
      return body.rights;
    };
    expect((await put({ "vehicles.list": { fields: [] }, "access.editRoles": {} }, 0)).status).toBe(200);
    expect(await rights()).toEqual({ "vehicles.list": { fields: [] }, "access.editRoles": {} });
    const seen = (await app.call(getRole, { params: role }, { token: await world.tokenOf(boss) })).output;
    expect(seen.grants["vehicles.list"]).toEqual(allow({ fields: ["owner"] }));
    expect(seen.limits).toEqual({ "vehicles.list": { fields: [] }, "access.editRoles": {} });
    expect(seen.decisions.find(({ permission }) => permission === "citizens.view")).toMatchObject({
      held: false,
      clipped: { job, grade: 1 },
    });
    expect(seen.decisions.find(({ permission }) => permission === "vehicles.list")?.attributes).toEqual([
      { name: "fields", value: [], from: { job, grade: 1 }, unclipped: ["owner"] },
    ]);
    expect((await put(null, 0)).body.code).toBe("access.stale");
    expect((await put(null, 1)).output).toMatchObject({ version: 2, limits: null });
    expect(await rights()).toMatchObject({ "vehicles.list": { fields: ["owner"] }, "citizens.view": {} });
    const all = (await app.call(listLimits, {}, { token: admin.token })).output.jobs;
    expect(all.find((one) => one.job === job)).toEqual({ job, label: job.toUpperCase(), permissions: null });
    expect((await app.call(getLimits, { params: { job: "nowhere" } }, { token: admin.token })).status).toBe(404);
    expect((await put({ "vehicles.list": { fields: ["wheels"] } }, 2)).body.code).toBe("access.attributeValueInvalid");
  });

  test("the default role is changed by config admins without a character, and may be empty", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const member = await world.actor();
    const mine = async () => (await app.call(myRights, {}, { token: await world.tokenOf(member) })).output.decisions;
    const { version } = (await app.call(getDefaultRole, {}, { cookie })).output;
    const put = async (grants: object, at: number) =>
      await app.call(putDefaultRole, { body: { version: at, grants: grants as never } }, { cookie });
    const given = (await put(list([]), version)).output;
    expect((await mine()).find(({ permission }) => permission === "vehicles.list")).toMatchObject({
      held: true,
      reason: "default",
    });
    expect((await put({}, version)).body.code).toBe("access.stale");
    expect((await put({}, given.version)).output.grants).toEqual({});
    expect((await mine()).some(({ held }) => held)).toBe(false);
    expect((await app.call(defaultHistory, {}, { cookie })).output.revisions).toHaveLength(2);
    const undone = await app.call(undoDefault, { params: { version: given.version + 1 } }, { cookie });
    expect(undone.output.grants).toEqual(list([]));
    await put({}, undone.output.version);
  });

  test("rights are explained for the caller, for a grade and for a citizen of the own job", async () => {
    const { app, world } = get();
    const { job, boss, token } = await crew(get());
    const member = await world.actor({ job, grade: 2 });
    const higher = await world.actor({ job, grade: 4 });
    const of = async (query: object) => await app.call(rightsOf, { query }, { token });
    const why = { permission: "vehicles.list", held: true, reason: "role", from: { job, grade: 1 } };
    const grade = (await of({ job, grade: 2 })).output;
    expect(grade.decisions.find(({ permission }) => permission === "vehicles.list")).toMatchObject(why);
    const person = (await of({ citizenId: member.characterId })).output;
    expect(person.citizen?.id).toBe(member.characterId);
    expect(person.decisions).toEqual(grade.decisions);
    expect((await of({ citizenId: higher.characterId })).body.code).toBe("access.personUnknown");
    expect((await of({})).status).toBe(400);
    const mine = (await app.call(myRights, {}, { token })).output;
    expect(mine).toMatchObject({ job, grade: 3, powers: [] });
    expect(mine.decisions.find(({ permission }) => permission === "access.editRoles")).toMatchObject({ from: { job, grade: 3 } });
    expect(boss.characterId).toBeGreaterThan(0);
  });
});

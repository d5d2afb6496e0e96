import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { getLimits, limitsHistory, putLimits, undoLimits } from "./access.contract.ts";

let numbers = 0;

describeApps("the history of limits", (get) => {
  async function taxi() {
    const { app, world, writes } = get();
    numbers += 1;
    const job = `limited${numbers}`;
    await world.job(job, [0, 1]);
    const admin = await world.actor({ groups: ["lead"], jobAdmin: true });
    const { token } = admin;
    const read = async () => (await app.call(getLimits, { params: { job } }, { token })).output;
    const put = async (limits: object | null) => {
      const { version } = await read();
      return await app.call(putLimits, { params: { job }, body: { version, limits: limits as never } }, { token });
    };
    const history = async () => (await app.call(limitsHistory, { params: { job } }, { token })).output.revisions;
    const undo = async (version: number) => await app.call(undoLimits, { params: { job, version } }, { token });
    return { app, world, writes, job, admin, token, read, put, history, undo };
  }

  test("names the actor, time and changes; a change is undone by a new one, and later changes stay", async () => {
    const { admin, put, history, undo, read, app, job } = await taxi();
    expect(await history()).toEqual([]);
    await put({ "vehicles.list": { fields: ["owner"] }, "citizens.view": {} });
    await put({ "vehicles.list": { fields: [] }, "citizens.view": {} });
    await put({ "vehicles.list": { fields: [] }, "citizens.view": {}, "citizens.list": {} });
    const [newest, second, first, ...rest] = await history();
    const who = { at: expect.any(Number), by: admin.username };
    expect(rest).toEqual([]);
    expect(newest).toEqual({
      version: 3,
      ...who,
      limited: { before: true, after: true },
      changes: [{ permission: "citizens.list", before: null, after: {} }],
    });
    expect(second).toEqual({
      version: 2,
      ...who,
      limited: { before: true, after: true },
      changes: [{ permission: "vehicles.list", before: { fields: ["owner"] }, after: { fields: [] } }],
    });
    expect(first).toMatchObject({ version: 1, ...who, limited: { before: false, after: true } });
    const cut = new Map(first?.changes.map(({ permission, before, after }) => [permission, { before, after }]));
    expect(cut.get("vehicles.list")).toEqual({ before: {}, after: { fields: ["owner"] } });
    expect(cut.get("access.editRoles")).toEqual({ before: {}, after: null });
    expect(cut.has("citizens.view")).toBe(false);

    const undone = await undo(2);
    const after = { "vehicles.list": { fields: ["owner"] }, "citizens.view": {}, "citizens.list": {} };
    expect([undone.status, undone.output.version, undone.output.limits]).toEqual([200, 4, after]);
    const { affected: _nobody, ...details } = undone.output;
    expect(await read()).toEqual(details);
    expect((await history())[0]).toMatchObject({
      version: 4,
      changes: [{ permission: "vehicles.list", before: { fields: [] }, after: { fields: ["owner"] } }],
    });
    const { rows } = await app.process.container.db.exclusive(
      "test.rows",
      async ({ connection }) =>
        await connection.execute("select * from audit_entries where action = 'access.undoLimits' and object_id = ?", [job]),
    );
    expect(rows.map((row) => [row["actor_name"], JSON.parse(String(row["data"]))])).toEqual([
      [
        admin.username,
        expect.objectContaining({
          before: { limits: { ...after, "vehicles.list": { fields: [] } } },
          after: { limits: after },
        }),
      ],
    ]);
  });

  test("a change says how many people have other permissions since", async () => {
    const { world, job, put, undo } = await taxi();
    for (const grade of [1, 1, 0]) await world.actor({ job, grade });
    await world.grant(job, 1, { "citizens.list": {} });
    expect((await put({})).output).toMatchObject({ version: 1, affected: 2 });
    expect((await put({})).output).toMatchObject({ version: 1, affected: 0 });
    expect((await undo(1)).output).toMatchObject({ limits: null, affected: 2 });
  });

  test("setting and lifting limits are undone as a whole", async () => {
    const { put, undo, history } = await taxi();
    const limits = { "citizens.view": {} };
    await put(limits);
    expect((await undo(1)).output).toMatchObject({ version: 2, limits: null });
    expect((await undo(2)).output).toMatchObject({ version: 3, limits });
    await put(null);
    expect((await history())[0]).toMatchObject({ version: 4, limited: { before: true, after: false } });
    expect((await undo(4)).output).toMatchObject({ version: 5, limits });
  });

  test("what was changed again since is not undone: the error names it, and nothing is written", async () => {
    const { put, undo, writes, read } = await taxi();
    await put({ "vehicles.list": { fields: ["owner"] } });
    await put({ "vehicles.list": { fields: [] } });
    await put({ "vehicles.list": {} });
    const [before, written] = [await read(), writes(["access_epochs"])];
    const [touched, whole, unknown] = [await undo(2), await undo(1), await undo(9)];
    expect([touched.status, touched.body.code, touched.body.params]).toEqual([
      409,
      "access.limitChangedSince",
      { permission: "vehicles.list" },
    ]);
    expect([whole.status, whole.body.code]).toEqual([409, "access.limitsChangedSince"]);
    expect([unknown.status, unknown.body.code, unknown.body.params]).toEqual([404, "access.revisionUnknown", { version: 9 }]);
    expect([await read(), written.tables()]).toEqual([before, []]);
    await put(null);
    expect((await undo(3)).body.code).toBe("access.limitsChangedSince");
  });

  test("the same limits in another order are no change, and undoing a change twice is refused", async () => {
    const { put, undo, history } = await taxi();
    await put({ "citizens.view": {}, "citizens.list": {} });
    await put({ "citizens.list": {}, "citizens.view": {} });
    expect(await history()).toHaveLength(1);
    await put({ "citizens.view": {} });
    expect((await undo(2)).status).toBe(200);
    const again = await undo(2);
    expect([again.status, again.body.code]).toEqual([409, "access.limitChangedSince"]);
    expect(await history()).toHaveLength(3);
  });

  test("permissions that this version does not know are not restored", async () => {
    const { app, job, put, undo } = await taxi();
    await put({ "citizens.view": {} });
    const was = JSON.stringify({ v: 1, limits: { "citizens.view": {}, "gone.list": {} } });
    await app.process.container.db.exclusive(
      "test.rows",
      async ({ connection }) => await connection.execute("update access_limits_revisions set was = ? where job = ?", [was, job]),
    );
    const refused = await undo(1);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      400,
      "access.permissionUnknown",
      { permission: "gone.list" },
    ]);
  });

  test("is only for job admins, and only of jobs that exist", async () => {
    const { app, world, job, token } = await taxi();
    const other = await world.actor({ job, grade: 1, rights: { "access.editRoles": true } });
    const tries = [
      await app.call(limitsHistory, { params: { job } }, { token: other.token }),
      await app.call(undoLimits, { params: { job, version: 1 } }, { token: other.token }),
    ];
    expect(tries.map(({ status, body }) => [status, body.code])).toEqual(tries.map(() => [403, "system.jobAdminNeeded"]));
    const nowhere = [
      await app.call(limitsHistory, { params: { job: "nowhere" } }, { token }),
      await app.call(undoLimits, { params: { job: "nowhere", version: 1 } }, { token }),
    ];
    expect(nowhere.map(({ status, body }) => [status, body.code])).toEqual(nowhere.map(() => [404, "access.jobUnknown"]));
  });
});

import { expect, test } from "vitest";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import { getRole, previewRole, putRole, roleMatrix, undoRole } from "./access.contract.ts";

const editor = { "access.editRoles": true, "access.viewRoles": true, "vehicles.list": { fields: ["owner"] } } as const;
const allow = (attributes = {}) => ({ allow: true, attributes });
const deny = { allow: false, attributes: {} };
const list = (fields: string[]) => ({ "vehicles.list": allow({ fields }) });

let numbers = 0;

describeApps("whom a change of a role affects", (get) => {
  /** A job of its own with a boss at grade 3 who edits, and the role of grade 1. */
  async function crew({ world }: AppUnderTest, rights: Parameters<typeof world.grant>[2] = editor) {
    numbers += 1;
    const job = `affected${numbers}`;
    await world.job(job, [0, 1, 2, 3, 4]);
    const boss = await world.actor({ job, grade: 3, rights });
    await world.grant(job, 1, { "vehicles.list": { fields: [] } });
    return { job, boss, token: await world.tokenOf(boss), role: { job, grade: 1 } };
  }

  test("the role of a grade without one is created by its first change, and by one caller only", async () => {
    const { app, world } = get();
    const { job, token } = await crew(get());
    await world.actor({ job, grade: 2 });
    const params = { job, grade: 2 };
    const put = async (version: number) =>
      await app.call(putRole, { params, body: { version, grants: { "vehicles.list": deny } } }, { token });
    expect((await put(1)).body.code).toBe("access.stale");
    const saved = await put(0);
    expect(saved.output).toMatchObject({ version: 1, grants: { "vehicles.list": deny }, affected: 1 });
    expect((await put(0)).body.code).toBe("access.stale");
    const undone = await app.call(undoRole, { params: { ...params, version: 1 } }, { token });
    expect(undone.output).toMatchObject({ version: 0, grants: {} });
    const absent = { job, grade: 0 };
    expect((await app.call(putRole, { params: absent, body: { version: 0, grants: {} } }, { token })).status).toBe(200);
  });

  test("a preview counts whom a change affects, names those whom the viewer may see, and writes nothing", async () => {
    const { app, world } = get();
    const { job, token, role, boss } = await crew(get(), { ...editor, "citizens.list": true });
    const member = await world.actor({ job, grade: 2 });
    await world.actor({ job, grade: 0 });
    await world.actor({ job, grade: 4 });
    const written = get().writes(["access_epochs"]);
    const preview = async (grants: object | null, as = token, params = role) =>
      await app.call(previewRole, { params, body: { grants: grants as never } }, { token: as });
    // Grade 3 has a role that allows the same.
    expect((await preview(null)).output).toEqual({
      people: 1,
      names: [{ id: member.characterId, name: expect.any(String) }],
      lost: ["vehicles.list"],
      gained: [],
      altered: [],
    });
    const wider = (await preview({ ...list([]), "citizens.view": allow() })).output;
    expect([wider.people, wider.gained, wider.names.map(({ id }) => id)]).toEqual([
      3,
      ["citizens.view"],
      [boss.characterId, member.characterId],
    ]);
    expect((await preview(list([]))).output).toMatchObject({ people: 0, names: [] });
    expect(written.tables()).toEqual([]);
    const blind = await crew(get());
    const unnamed = (await preview({ "citizens.view": allow() }, blind.token, blind.role)).output;
    expect([unnamed.people, unnamed.names]).toEqual([1, []]);
    expect((await preview(null, token, { job, grade: 3 })).body.code).toBe("access.gradeNotBelow");
    expect((await preview(null, token, blind.role)).body.code).toBe("access.roleUnknown");
    expect((await preview({ "nothing.here": allow() })).body.code).toBe("access.permissionUnknown");
  });

  test("the matrix has what every visible grade holds and says, as the single roles do", async () => {
    const { app } = get();
    const { job, token, role } = await crew(get());
    const { output } = await app.call(roleMatrix, { params: { job } }, { token });
    expect(output.grades.map(({ grade }) => grade)).toEqual([3, 2, 1, 0]);
    const single = (await app.call(getRole, { params: role }, { token })).output;
    const { grants, decisions } = output.grades.find(({ grade }) => grade === role.grade)!;
    expect({ grants, decisions }).toEqual({ grants: single.grants, decisions: single.decisions });
    const other = await crew(get());
    expect((await app.call(roleMatrix, { params: { job: other.job } }, { token })).body.code).toBe("access.jobUnknown");
  });
});

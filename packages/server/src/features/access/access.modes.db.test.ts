import { describe, expect, test } from "vitest";
import type { AppUnderTest } from "#testkit/suite.ts";
import { describeApps } from "#testkit/suite.ts";
import { endSeeAs, enterJobAdmin, leaveJobAdmin, seeAs, token as tokenOperation } from "#features/auth/auth.contract.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import { listLimits, listRoles, myRights } from "./access.contract.ts";

const editor = { "access.editRoles": true, "access.viewRoles": true, "vehicles.list": { fields: ["owner"] } } as const;

let numbers = 0;

describeApps("modes of admins and editors", (get) => {
  /** A job of its own with a boss at grade 3 who edits, and the role of grade 1. */
  async function crew({ world }: AppUnderTest, rights: Parameters<typeof world.grant>[2] = editor) {
    numbers += 1;
    const job = `modes${numbers}`;
    await world.job(job, [0, 1, 2, 3, 4]);
    const boss = await world.actor({ job, grade: 3, rights });
    await world.grant(job, 1, { "vehicles.list": { fields: [] } });
    return { job, boss, token: await world.tokenOf(boss) };
  }

  const rowsOf = async ({ app }: AppUnderTest, statement: string) =>
    await app.process.container.db.exclusive(
      "test.rows",
      async ({ connection }) => (await connection.execute(statement, [])).rows,
    );

  test("admins of the panel are added to those of config.yaml without a restart, and doctor lists them", async () => {
    const { app, world } = get();
    const root = await world.actor({ groups: ["admin"] });
    const user = await world.actor();
    const byGroup = await world.actor({ groups: ["helpers"] });
    const checks = app.process.assembly.registry.parts("checks").find(({ id }) => id === "access.panelAdmins");
    const change = async (auth: object) => {
      const { version, settings } = (await app.call(getSettings, {}, root)).output;
      const next = { ...settings, auth: { ...settings.auth, ...auth } };
      expect((await app.call(putSettings, { body: { version, settings: next } }, root)).status).toBe(200);
    };
    const mayRead = async (cookie: string) => (await app.call(getSettings, {}, { cookie })).status;
    expect([await mayRead(user.cookie), await mayRead(byGroup.cookie), await checks?.run()]).toEqual([403, 403, []]);
    await change({ configAdminUsers: [`license:${user.licence}`], configAdminGroups: ["helpers"] });
    expect([await mayRead(user.cookie), await mayRead(byGroup.cookie), await mayRead(root.cookie)]).toEqual([200, 200, 200]);
    const { powers } = (await app.call(myRights, {}, { token: await world.tokenOf(user) })).output;
    expect(powers).toEqual([{ power: "configAdmin", source: "panel", by: "user", name: `license:${user.licence}` }]);
    expect(await checks?.run()).toEqual([
      { id: "access.panelConfigGroups", state: "warning", params: { count: 1, list: "helpers" } },
      { id: "access.panelConfigAdmins", state: "warning", params: { count: 1, list: user.licence } },
    ]);
    await change({ configAdminUsers: [], configAdminGroups: [] });
    expect([await mayRead(user.cookie), await mayRead(byGroup.cookie), await mayRead(root.cookie)]).toEqual([403, 403, 200]);
  });

  describe("seeing as a lower grade", () => {
    test("gives the rights of that grade but none beyond the own, is audited, and ends", async () => {
      const { app, world } = get();
      const { job, boss, token } = await crew(get(), { ...editor, "citizens.view": false });
      await world.grant(job, 0, { "citizens.view": true });
      const begun = await app.call(seeAs, { body: { grade: 1 } }, { token: await world.tokenOf(boss) });
      expect([begun.status, begun.output.grade]).toEqual([200, 1]);
      const old = await app.call(listRoles, { params: { job } }, { token });
      expect([old.status, old.body.code]).toEqual([401, "system.tokenExpired"]);
      const seen = (await app.call(tokenOperation, { body: { characterId: boss.characterId } }, { cookie: boss.cookie })).output;
      expect(seen.rights).toEqual({ "vehicles.list": { fields: [] } });
      expect(seen.seeAs).toMatchObject({ job, grade: 1, gradeLabel: `${job} 1`, until: begun.output.until });
      const mine = (await app.call(myRights, {}, { token: seen.token })).output;
      expect(mine.grade).toBe(1);
      expect(mine.decisions.find(({ permission }) => permission === "citizens.view")).toMatchObject({
        held: false,
        reason: "ownGrade",
      });
      expect((await app.call(endSeeAs, {}, { token: seen.token })).status).toBe(204);
      const [entry] = await rowsOf(
        get(),
        "select seen_as from audit_entries where action = 'auth.endSeeAs' order by id desc limit 1",
      );
      expect(entry?.["seen_as"]).toBe(`${job}/1`);
      const after = await app.call(tokenOperation, { body: { characterId: boss.characterId } }, { cookie: boss.cookie });
      expect([after.body.seeAs, after.body.rights["access.editRoles"]]).toEqual([null, {}]);
    });

    test("is only for lower grades, and requires the right to edit roles", async () => {
      const { app, world } = get();
      const { job, token } = await crew(get());
      for (const grade of [3, 4]) {
        const refused = await app.call(seeAs, { body: { grade } }, { token });
        expect([refused.status, refused.body.code]).toEqual([403, "auth.seeAsNotBelow"]);
      }
      const member = await world.actor({ job, grade: 2 });
      expect((await app.call(seeAs, { body: { grade: 1 } }, { token: member.token })).status).toBe(403);
    });

    test("suspends job admin, in the job that was entered", async () => {
      const { app, world } = get();
      const { job } = await crew(get());
      const admin = await world.actor({ groups: ["lead"] });
      await app.call(enterJobAdmin, { body: { reason: "look", job } }, { token: admin.token });
      await app.call(seeAs, { body: { grade: 1 } }, { token: await world.tokenOf(admin) });
      const answer = async () =>
        (await app.call(tokenOperation, { body: { characterId: admin.characterId } }, { cookie: admin.cookie })).output;
      const seen = await answer();
      expect([seen.jobAdmin, seen.seeAs?.grade, seen.rights]).toEqual([null, 1, { "vehicles.list": { fields: [] } }]);
      expect((await app.call(listLimits, {}, { token: seen.token })).status).toBe(403);
      await app.call(endSeeAs, {}, { token: seen.token });
      expect((await answer()).jobAdmin).toMatchObject({ job });
      await app.call(seeAs, { body: { grade: 1 } }, { token: await world.tokenOf(admin) });
      await app.call(leaveJobAdmin, {}, { token: await world.tokenOf(admin) });
      expect((await answer()).seeAs).toBeNull();
    });
  });
});

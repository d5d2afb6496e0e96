import { expect, test } from "vitest";
import { getCitizen } from "#features/citizens/citizens.contract.ts";
import { syncLicences, syncLicencesDelete } from "#features/licences/licences.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import {
  accessCatalogue,
  attributeRows,
  createRole,
  getDefaultRole,
  getLimits,
  getRole,
  myRights,
  putDefaultRole,
  putLimits,
  putRole,
  rightsOf,
  roleHistory,
  undoRole,
} from "./access.contract.ts";

const sync = { token: testSecrets.sync };
const source = "licences.types";
let numbers = 0;

const showing = (licenceTypes?: readonly string[]) => ({
  "citizens.view": { allow: true, attributes: {} },
  "citizens.list": { allow: true, attributes: { fields: ["licences"], ...(licenceTypes ? { licenceTypes } : {}) } },
});

describeApps("rights to rows", (get) => {
  /** A job with a role of grade 1, its admin, a member, and a citizen who holds three licences. */
  async function town() {
    const { app, world } = get();
    numbers += 1;
    const [job, of] = [`town${numbers}`, (name: string) => `${name}${numbers}`];
    const types = ["boat", "drive", "weapon"].map(of);
    const [boat, drive, weapon] = types as [string, string, string];
    await app.call(syncLicences, { body: { items: types.map((type) => ({ type, label: `The ${type}` })) } }, sync);
    await world.job(job);
    const admin = await world.actor({ job, grade: 3, groups: ["lead"], jobAdmin: true });
    const { token } = admin;
    const params = { job, grade: 1 };
    await app.call(createRole, { params: { job }, body: { grade: 1 } }, { token });
    const member = await world.actor({ job, grade: 1 });
    const id = await world.citizen({ identifier: `held:${job}`, licences: types });
    const role = async () => (await app.call(getRole, { params }, { token })).output;
    return {
      app,
      world,
      ...{ job, boat, drive, weapon, admin, token, member, params, role },
      put: async (grants: object) =>
        await app.call(putRole, { params, body: { version: (await role()).version, grants: grants as never } }, { token }),
      limit: async (limits: object | null) => {
        const { version } = (await app.call(getLimits, { params: { job } }, { token })).output;
        return await app.call(putLimits, { params: { job }, body: { version, limits: limits as never } }, { token });
      },
      remove: async (...gone: string[]) => await app.call(syncLicencesDelete, { body: { types: gone } }, sync),
      seen: async () => {
        const { output } = await app.call(getCitizen, { params: { id } }, { token: await world.tokenOf(member) });
        return output.licences?.map(({ type }) => type);
      },
    };
  }

  test("show the types of licences that a role names; a role that names none shows every type, as before", async () => {
    const { put, seen, boat, drive, weapon } = await town();
    await put(showing());
    expect(await seen()).toEqual([boat, drive, weapon]);
    expect((await put(showing([drive, weapon]))).status).toBe(200);
    expect(await seen()).toEqual([drive, weapon]);
    await put(showing([]));
    expect(await seen()).toEqual([]);
    await put(showing(["*"]));
    expect(await seen()).toEqual([boat, drive, weapon]);
  });

  test("of a lower grade are inherited, and lifted again by a higher one", async () => {
    const { app, put, token, job, drive } = await town();
    await put(showing([drive]));
    const made = await app.call(createRole, { params: { job }, body: { grade: 2 } }, { token });
    const attribute = (decisions: typeof made.output.decisions) =>
      decisions.find(({ permission }) => permission === "citizens.list")?.attributes.find(({ name }) => name === "licenceTypes");
    expect(attribute(made.output.decisions)).toEqual({ name: "licenceTypes", value: [drive], from: { job, grade: 1 } });
    const body = { version: made.output.version, grants: showing(["*"]) as never };
    const lifted = await app.call(putRole, { params: { job, grade: 2 }, body }, { token });
    expect(attribute(lifted.output.decisions)).toMatchObject({ value: ["*"], from: { job, grade: 2 } });
  });

  test("are clipped by the limits of the job, also where the role names none", async () => {
    const { put, limit, seen, role, boat, drive, weapon } = await town();
    await put(showing([drive, weapon]));
    const limits = { "citizens.view": {}, "citizens.list": { licenceTypes: [boat, drive] } };
    expect((await limit(limits)).output).toMatchObject({ limits, labels: { [source]: { [boat]: `The ${boat}` } } });
    expect(await seen()).toEqual([drive]);
    await put(showing());
    expect(await seen()).toEqual([boat, drive]);
    const shown = (await role()).decisions.find(({ permission }) => permission === "citizens.list");
    expect(shown?.attributes.find(({ name }) => name === "licenceTypes")).toEqual({
      name: "licenceTypes",
      value: [boat, drive],
      from: null,
      unclipped: ["*"],
    });
    await limit(null);
    expect(await seen()).toEqual([boat, drive, weapon]);
  });

  test("of a deleted row stay until they are removed, grant nothing else, and are not added again", async () => {
    const { app, put, remove, role, seen, token, params, boat, drive, weapon } = await town();
    await put(showing([drive]));
    await remove(drive);
    expect((await role()).labels).toEqual({ [source]: { [drive]: null } });
    expect(await seen()).toEqual([drive]);
    const kept = await put(showing([drive, boat]));
    expect([kept.status, kept.output.labels]).toEqual([200, { [source]: { [boat]: `The ${boat}`, [drive]: null } }]);
    expect(await seen()).toEqual([boat, drive]);
    expect((await put(showing([boat]))).status).toBe(200);
    const refused = await put(showing([boat, drive]));
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { code: "access.attributeRowUnknown", params: { permission: "citizens.list", attribute: "licenceTypes", value: drive } },
    ]);
    const { output } = await app.call(roleHistory, { params }, { token });
    const removal = output.revisions[0]!.version;
    expect(output.labels).toEqual({ [source]: { [boat]: `The ${boat}`, [drive]: null } });
    const undone = await app.call(undoRole, { params: { ...params, version: removal } }, { token });
    expect([undone.status, undone.body.code]).toEqual([400, "access.attributeRowUnknown"]);
    expect((await put(showing([weapon, "never"]))).body.code).toBe("access.attributeRowUnknown");
    expect(await seen()).toEqual([boat]);
  });

  test("are refused in limits, the default role and by an editor who does not hold them", async () => {
    const { app, world, limit, put, job, boat, drive } = await town();
    expect((await limit({ "citizens.list": { licenceTypes: ["never"] } })).body.code).toBe("access.attributeRowUnknown");
    const { cookie } = await world.actor({ groups: ["admin"] });
    const { version } = (await app.call(getDefaultRole, {}, { cookie })).output;
    const none = await app.call(putDefaultRole, { body: { version, grants: showing(["never"]) } }, { cookie });
    expect(none.body.code).toBe("access.attributeRowUnknown");

    await put({});
    const rights = { "access.editRoles": true, "citizens.list": { fields: [], licenceTypes: [drive] } } as const;
    const editor = await world.actor({ job, grade: 2, rights });
    const params = { job, grade: 1 };
    const give = async (attributes: object) => {
      const { version: seen } = (await app.call(getRole, { params }, { token: editor.token })).output;
      const grants = { "citizens.list": { allow: true, attributes } } as never;
      return await app.call(putRole, { params, body: { version: seen, grants } }, { token: editor.token });
    };
    for (const attributes of [{ licenceTypes: [drive, boat] }, { licenceTypes: ["*"] }, {}]) {
      const answer = await give(attributes);
      expect([answer.status, answer.body.params]).toEqual([403, { permission: "citizens.list licenceTypes" }]);
    }
    expect((await give({ licenceTypes: [drive] })).status).toBe(200);
  });

  test("are offered by their labels, and explained with them in a constant number of statements", async () => {
    const { app, put, admin, member, params, token, boat, drive, weapon, remove } = await town();
    const { permissions } = (await app.call(accessCatalogue, {}, { cookie: admin.cookie })).output;
    const { attributes } = permissions.find(({ id }) => id === "citizens.list")!;
    expect(attributes.find(({ name }) => name === "licenceTypes")).toEqual({
      name: "licenceTypes",
      type: "data",
      values: [],
      source,
    });

    const offered = async (q: string, of = source) =>
      await app.call(attributeRows, { params: { source: of }, query: { q, limit: 5 } }, { token });
    expect((await offered(`the ${drive}`.toUpperCase())).output.items).toEqual([{ id: drive, label: `The ${drive}` }]);
    expect((await offered("%")).output.items).toEqual([]);
    expect((await offered("")).output.items).toHaveLength(Math.min(5, 3 * numbers));
    expect((await offered("", "x.nothing")).body.code).toBe("access.sourceUnknown");
    await remove(weapon);
    expect((await offered(weapon)).output.items).toEqual([]);

    let statements = 0;
    app.process.container.db.observe(({ unit }) => {
      if (unit === "access.getRole") statements += 1;
    });
    const read = async () => {
      const before = statements;
      const { output } = await app.call(getRole, { params }, { token });
      return { statements: statements - before, labels: output.labels };
    };
    await put(showing([drive]));
    await read();
    const one = await read();
    await put(showing([drive, boat]));
    await read();
    const two = await read();
    expect([one.labels, two.labels]).toEqual([
      { [source]: { [drive]: `The ${drive}` } },
      { [source]: { [drive]: `The ${drive}`, [boat]: `The ${boat}` } },
    ]);
    expect(two.statements).toBe(one.statements);

    const mine = await app.call(myRights, {}, { token: await get().world.tokenOf(member) });
    expect(mine.output.labels).toEqual(two.labels);
    const theirs = await app.call(rightsOf, { query: { citizenId: member.characterId } }, { token });
    expect(theirs.output.labels).toEqual(two.labels);
  });
});

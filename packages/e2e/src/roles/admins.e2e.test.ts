import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, call, person, type Person, userToken } from "#kit/api.ts";
import type { Program } from "#kit/program.ts";
import { createScope, type Scope, type SetPlace, type Settings } from "#kit/settings.ts";

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
}

type Door = "configAdmin" | "jobAdmin";

const doors: Readonly<Record<string, Door>> = {
  "A config admin.": "configAdmin",
  "A chosen character while job admin is on.": "jobAdmin",
};
const refusals: Readonly<Record<Door, string>> = {
  configAdmin: "system.configAdminNeeded",
  jobAdmin: "system.jobAdminNeeded",
};
const none: Settings = {
  "auth.jobAdminGroups": [],
  "auth.jobAdminUsers": [],
  "auth.configAdminGroups": [],
  "auth.configAdminUsers": [],
};
const lists: Settings = {
  "auth.jobAdminGroups": ["Lead"],
  "auth.jobAdminUsers": ["license:licence-of-jobuser"],
  "auth.configAdminGroups": ["Staff"],
  "auth.configAdminUsers": ["licence-of-configuser"],
};
/** What each of them gets from the lists: config admins may enter job admin, job admins are no config admins. */
const people: readonly { username: string; groups?: string; powers: readonly Door[] }[] = [
  { username: "jobgroup", groups: "Lead", powers: ["jobAdmin"] },
  { username: "jobuser", powers: ["jobAdmin"] },
  { username: "configgroup", groups: "Staff", powers: ["configAdmin", "jobAdmin"] },
  { username: "configuser", powers: ["configAdmin", "jobAdmin"] },
  { username: "wrongcase", groups: "lead,staff,Leads", powers: [] },
];

/** Nothing that a test calls exists under this name, and no body is right: a call that passes the door changes nothing. */
const nowhere = "999999";

describe("the four lists of auth", () => {
  const scope: Scope = createScope();
  let place: SetPlace;
  let program: Program;
  const made = new Map<string, Person>();
  const operations: Record<Door, Operation[]> = { configAdmin: [], jobAdmin: [] };

  beforeAll(async () => {
    place = await scope.place({ ...none, ...lists });
    program = await scope.serve(place);
    for (const { username, groups } of people)
      made.set(username, await person(place, { username, ...(groups === undefined ? {} : { groups }) }));
    const document = (await call(place.url, "/api/openapi.json")).body as {
      paths: Record<string, Record<string, { operationId: string; description: string; requestBody?: object }>>;
    };
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { operationId, description, requestBody }] of Object.entries(methods)) {
        const door = doors[description];
        if (door)
          operations[door].push({ id: operationId, method: method.toUpperCase(), path, hasBody: requestBody !== undefined });
      }
  }, 120_000);
  afterAll(async () => await scope.end());

  /** Waits where the rate asks for it. */
  async function knock({ method, path, hasBody }: Operation, credentials: object): Promise<Answer> {
    const where = path.replaceAll(/\{\w+\}/g, nowhere);
    let answer: Answer | undefined;
    await expect
      .poll(
        async () => {
          answer = await call(place.url, where, { method, ...(hasBody ? { body: { nonsense: true } } : {}), ...credentials });
          return answer.status;
        },
        { timeout: 30_000, interval: 250 },
      )
      .not.toBe(429);
    return answer!;
  }

  /** Every operation behind a door, with whether it let this person pass. */
  async function passed(who: Person, door: Door): Promise<Record<string, boolean>> {
    const entered = await call(place.url, "/api/auth/job-admin", {
      token: await userToken(place.url, who),
      body: { reason: "every operation" },
    });
    expect([200, 403]).toContain(entered.status);
    const credentials = door === "configAdmin" ? { cookie: who.cookie } : { token: await userToken(place.url, who) };
    const found: Record<string, boolean> = {};
    for (const operation of operations[door]) {
      const { status, body } = await knock(operation, credentials);
      const refused = status === 403 && body?.code === refusals[door];
      // Whoever is refused is refused at the door, and whoever passes it meets no other one.
      if (!refused) expect([operation.id, status]).not.toEqual([operation.id, 401]);
      found[operation.id] = !refused;
    }
    return found;
  }

  const every = (door: Door, open: boolean) => Object.fromEntries(operations[door].map(({ id }) => [id, open]));

  test("the control panel has operations behind both doors", () => {
    expect(operations.configAdmin.map(({ id }) => id)).toEqual(expect.arrayContaining(["settings.put", "access.putDefault"]));
    expect(operations.jobAdmin.map(({ id }) => id)).toEqual(expect.arrayContaining(["access.putLimits"]));
    process.stdout.write(`operations: ${operations.configAdmin.length} config admin, ${operations.jobAdmin.length} job admin\n`);
  });

  test.each(people)(
    "$username opens exactly what the lists give: $powers",
    { timeout: 120_000 },
    async ({ username, powers }) => {
      for (const door of ["configAdmin", "jobAdmin"] as const)
        expect(await passed(made.get(username)!, door)).toEqual(every(door, powers.includes(door)));
    },
  );

  test("without job admin entered, its operations stay closed to everyone", async () => {
    for (const { username } of people) {
      const who = made.get(username)!;
      await call(place.url, "/api/auth/job-admin", { method: "DELETE", token: await userToken(place.url, who) });
      const token = await userToken(place.url, who);
      for (const operation of operations.jobAdmin)
        expect([username, operation.id, (await knock(operation, { token })).body.code]).toEqual([
          username,
          operation.id,
          refusals.jobAdmin,
        ]);
    }
  }, 60_000);

  test("all of it is lost after a restart with empty lists, also by sessions in which job admin was on", async () => {
    const admin = made.get("jobuser")!;
    await call(place.url, "/api/auth/job-admin", { token: await userToken(place.url, admin), body: { reason: "stays on" } });
    await program.stop();
    place.set(none);
    program = await scope.serve(place);
    const token = await userToken(place.url, admin);
    expect((await call(place.url, "/api/access/limits", { token })).body.code).toBe(refusals.jobAdmin);
    for (const { username } of people)
      for (const door of ["configAdmin", "jobAdmin"] as const)
        expect(await passed(made.get(username)!, door)).toEqual(every(door, false));
  }, 120_000);
});

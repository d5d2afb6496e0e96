import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, call, person, type Person, userToken } from "@rollcall/testkit/api.ts";
import type { Program } from "@rollcall/testkit/program.ts";
import { createScope, type Scope, type ConfiguredInstance, type Settings } from "@rollcall/testkit/settings.ts";

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
}

type AdminAccess = "configAdmin" | "jobAdmin";

const adminAccessOf: Readonly<Record<string, AdminAccess>> = {
  "A config admin.": "configAdmin",
  "A chosen character while job admin is on.": "jobAdmin",
};
const refusals: Readonly<Record<AdminAccess, string>> = {
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
/** The powers that each list gives: config admins may enter job admin, job admins are not config admins. */
const people: readonly { username: string; groups?: string; powers: readonly AdminAccess[] }[] = [
  { username: "jobgroup", groups: "Lead", powers: ["jobAdmin"] },
  { username: "jobuser", powers: ["jobAdmin"] },
  { username: "configgroup", groups: "Staff", powers: ["configAdmin", "jobAdmin"] },
  { username: "configuser", powers: ["configAdmin", "jobAdmin"] },
  { username: "wrongcase", groups: "lead,staff,Leads", powers: [] },
];

/** No record has this name and no body is valid, so a call that passes the guard changes nothing. */
const nowhere = "999999";

describe("the four lists of auth", () => {
  const scope: Scope = createScope();
  let instance: ConfiguredInstance;
  let program: Program;
  const made = new Map<string, Person>();
  const operations: Record<AdminAccess, Operation[]> = { configAdmin: [], jobAdmin: [] };

  beforeAll(async () => {
    instance = await scope.instance({ ...none, ...lists });
    program = await scope.serve(instance);
    for (const { username, groups } of people)
      made.set(username, await person(instance, { username, ...(groups === undefined ? {} : { groups }) }));
    const document = (await call(instance.url, "/api/openapi.json")).body as {
      paths: Record<string, Record<string, { operationId: string; description: string; requestBody?: object }>>;
    };
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { operationId, description, requestBody }] of Object.entries(methods)) {
        const access = adminAccessOf[description];
        if (access)
          operations[access].push({ id: operationId, method: method.toUpperCase(), path, hasBody: requestBody !== undefined });
      }
  }, 120_000);
  afterAll(async () => await scope.end());

  /** Waits when the rate limit requires it. */
  async function callOperation({ method, path, hasBody }: Operation, credentials: object): Promise<Answer> {
    const where = path.replaceAll(/\{\w+\}/g, nowhere);
    let answer: Answer | undefined;
    await expect
      .poll(
        async () => {
          answer = await call(instance.url, where, { method, ...(hasBody ? { body: { nonsense: true } } : {}), ...credentials });
          return answer.status;
        },
        { timeout: 30_000, interval: 250 },
      )
      .not.toBe(429);
    return answer!;
  }

  /** Every guarded operation, with whether its guard lets this person pass. */
  async function passed(who: Person, access: AdminAccess): Promise<Record<string, boolean>> {
    const entered = await call(instance.url, "/api/auth/job-admin", {
      token: await userToken(instance.url, who),
      body: { reason: "every operation" },
    });
    expect([200, 403]).toContain(entered.status);
    const credentials = access === "configAdmin" ? { cookie: who.cookie } : { token: await userToken(instance.url, who) };
    const found: Record<string, boolean> = {};
    for (const operation of operations[access]) {
      const { status, body } = await callOperation(operation, credentials);
      const refused = status === 403 && body?.code === refusals[access];
      // Refusals come from this guard only, and a call that passes it is not refused by another one.
      if (!refused) expect([operation.id, status]).not.toEqual([operation.id, 401]);
      found[operation.id] = !refused;
    }
    return found;
  }

  const every = (access: AdminAccess, open: boolean) => Object.fromEntries(operations[access].map(({ id }) => [id, open]));

  test("the control panel has operations with both guards", () => {
    expect(operations.configAdmin.map(({ id }) => id)).toEqual(expect.arrayContaining(["settings.put", "access.putDefault"]));
    expect(operations.jobAdmin.map(({ id }) => id)).toEqual(expect.arrayContaining(["access.putLimits"]));
    process.stdout.write(`operations: ${operations.configAdmin.length} config admin, ${operations.jobAdmin.length} job admin\n`);
  });

  test.each(people)(
    "$username opens exactly what the lists give: $powers",
    { timeout: 120_000 },
    async ({ username, powers }) => {
      for (const access of ["configAdmin", "jobAdmin"] as const)
        expect(await passed(made.get(username)!, access)).toEqual(every(access, powers.includes(access)));
    },
  );

  test("operations of job admin are refused to everyone who has not entered it", async () => {
    for (const { username } of people) {
      const who = made.get(username)!;
      await call(instance.url, "/api/auth/job-admin", { method: "DELETE", token: await userToken(instance.url, who) });
      const token = await userToken(instance.url, who);
      for (const operation of operations.jobAdmin)
        expect([username, operation.id, (await callOperation(operation, { token })).body.code]).toEqual([
          username,
          operation.id,
          refusals.jobAdmin,
        ]);
    }
  }, 60_000);

  test("all powers end after a restart with empty lists, also in sessions in which job admin was on", async () => {
    const admin = made.get("jobuser")!;
    await call(instance.url, "/api/auth/job-admin", {
      token: await userToken(instance.url, admin),
      body: { reason: "stays on" },
    });
    await program.stop();
    instance.set(none);
    program = await scope.serve(instance);
    const token = await userToken(instance.url, admin);
    expect((await call(instance.url, "/api/access/limits", { token })).body.code).toBe(refusals.jobAdmin);
    for (const { username } of people)
      for (const access of ["configAdmin", "jobAdmin"] as const)
        expect(await passed(made.get(username)!, access)).toEqual(every(access, false));
  }, 120_000);
});

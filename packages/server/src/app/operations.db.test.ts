import { describe, expect, test } from "vitest";
import type { OperationDefinition } from "#core/contract/index.ts";
import { features } from "./features.ts";
import { pathOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { tablesOfRefusals } from "#testkit/writes.ts";

const operations = features.flatMap(({ contract }) => contract.operations ?? []);
const guarded = operations.filter(({ access }) => access.kind !== "public");
const links = features.flatMap(({ contract }) => contract.links ?? []);
const withInput = operations.filter(
  ({ input }) => input.body !== undefined || input.query !== undefined || input.params !== undefined,
);

function exampleRequest(operation: OperationDefinition) {
  const { params, query, body } = operation.example;
  return {
    method: operation.method,
    path: pathOf(operation, { params, query }),
    ...(body === undefined ? {} : { body }),
  };
}

const everyRight = Object.fromEntries(
  features.flatMap(({ contract }) => contract.permissions ?? []).map(({ id }) => [id, true as const]),
);

describeApps("every operation", (get) => {
  // Refused calls do not change their callers, and creating one takes longer than the call.
  const callers = new Map<string, Promise<TestActor>>();
  function caller(kind: string, create: () => Promise<TestActor>): Promise<TestActor> {
    const known = callers.get(kind) ?? create();
    callers.set(kind, known);
    return known;
  }
  const powerless = async () => await caller("powerless", async () => await get().world.actor());
  const lead = async () => await caller("lead", async () => await get().world.actor({ groups: ["lead"] }));
  const powerful = async (jobAdmin: boolean) =>
    await caller(
      jobAdmin ? "job admin" : "powerful",
      async () => await get().world.actor({ rights: everyRight, groups: ["admin"], jobAdmin }),
    );

  /** Credentials of a new link that opens an operation; none for one that no link opens. */
  async function linkTo({ id }: OperationDefinition): Promise<{ link?: string }> {
    const definition = links.find((link) => link.operations.includes(id));
    return definition ? { link: await get().world.link(definition) } : {};
  }

  test.each(guarded.map((operation) => [operation.id, operation] as const))(
    "%s without credentials is 401 and writes nothing",
    async (_id, operation) => {
      const { app, writes } = get();
      const { method, path, body } = exampleRequest(operation);
      const written = writes(tablesOfRefusals);
      const answer = await app.request(method, path, { body });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        status: 401,
        code: expect.stringMatching(/^system\./),
        traceId: expect.any(String),
      });
      expect(written.tables()).toEqual([]);
    },
  );

  test.each(guarded.map((operation) => [operation.id, operation] as const))(
    "%s with a forged token is 401",
    async (_id, operation) => {
      const { app } = get();
      const { method, path, body } = exampleRequest(operation);
      const answer = await app.request(method, path, {
        body,
        token: "x".repeat(40),
        cookie: "eyJhbGciOiJkaXIifQ..a.b.c",
      });
      expect(answer.status).toBe(401);
    },
  );

  describe("with rights", () => {
    test.each(
      operations.filter(({ access }) => access.kind === "permission").map((operation) => [operation.id, operation] as const),
    )("%s without its permission is 403 and names it", async (_id, operation) => {
      const { app, writes } = get();
      const actor = await powerless();
      const { method, path, body } = exampleRequest(operation);
      const written = writes(tablesOfRefusals);
      const answer = await app.request(method, path, { body, token: actor.token });
      expect(answer.status).toBe(403);
      const anyOf = operation.access.kind === "permission" ? operation.access.anyOf : [];
      expect(answer.body).toMatchObject({
        code: "system.permissionMissing",
        params: { permission: anyOf.join(", "), job: expect.any(String) },
      });
      for (const permission of anyOf) expect(answer.body.title).toContain(permission);
      expect(written.tables()).toEqual([]);
    });

    test.each(
      operations.filter(({ access }) => access.kind === "configAdmin").map((operation) => [operation.id, operation] as const),
    )("%s for an ordinary account is 403", async (_id, operation) => {
      const { app } = get();
      const { method, path, body } = exampleRequest(operation);
      const answer = await app.request(method, path, { body, cookie: (await powerless()).cookie });
      expect([answer.status, answer.body.code]).toEqual([403, "system.configAdminNeeded"]);
    });

    test.each(
      operations.filter(({ access }) => access.kind === "jobAdmin").map((operation) => [operation.id, operation] as const),
    )("%s with job admin off is 403", async (_id, operation) => {
      const { app } = get();
      const actor = await lead();
      const { method, path, body } = exampleRequest(operation);
      const answer = await app.request(method, path, { body, token: actor.token });
      expect([answer.status, answer.body.code]).toEqual([403, "system.jobAdminNeeded"]);
    });

    test.each(
      operations
        .filter(({ access }) => ["character", "permission", "jobAdmin"].includes(access.kind))
        .map((operation) => [operation.id, operation] as const),
    )("%s with the cookie alone is 401", async (_id, operation) => {
      const { app } = get();
      const actor = await powerless();
      const { method, path, body } = exampleRequest(operation);
      const answer = await app.request(method, path, { body, cookie: actor.cookie });
      expect([answer.status, answer.body.code]).toEqual([401, "system.characterNeeded"]);
    });
  });

  test.each(withInput.filter(({ input }) => input.body).map((operation) => [operation.id, operation] as const))(
    "%s with a wrong body is 400 after the guard",
    async (_id, operation) => {
      const { app, writes } = get();
      const actor = await powerful(operation.access.kind === "jobAdmin");
      const { method, path } = exampleRequest(operation);
      const credentials = {
        sync: { token: testSecrets.sync },
        public: {},
        link: await linkTo(operation),
        account: { cookie: actor.cookie },
        configAdmin: { cookie: actor.cookie },
        character: { token: actor.token },
        jobAdmin: { token: actor.token },
        permission: { token: actor.token },
      }[operation.access.kind];
      const written = writes(tablesOfRefusals);
      const answer = await app.request(method, path, { ...credentials, body: { nonsense: true } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: "system.invalidInput",
        params: { field: expect.any(String), problem: expect.any(String) },
      });
      expect(written.tables()).toEqual([]);
    },
  );

  test.each(withInput.filter(({ input }) => input.params).map((operation) => [operation.id, operation] as const))(
    "%s with a wrong path parameter is 400",
    async (_id, operation) => {
      const { app } = get();
      const { kind } = operation.access;
      const actor = await powerful(kind === "jobAdmin");
      const params = Object.fromEntries(
        Object.keys(operation.input.params?.properties ?? {}).map((name) => [name, "-nonsense-".repeat(9)]),
      );
      const byCookie = kind === "account" || kind === "configAdmin";
      const credentials = byCookie
        ? { cookie: actor.cookie }
        : kind === "link"
          ? await linkTo(operation)
          : { token: kind === "sync" ? testSecrets.sync : actor.token };
      const answer = await app.request(operation.method, pathOf(operation, { params }), {
        ...credentials,
        body: operation.example.body,
      });
      expect([answer.status, answer.body.code]).toEqual([400, "system.invalidInput"]);
    },
  );

  describe.each(links.map((link) => [link.id, link] as const))("a link %s", (_id, definition) => {
    test("opens its operations and no other one, even with the session of an admin beside it", async () => {
      const { app, world } = get();
      const { cookie } = await powerful(false);
      const link = await world.link(definition);
      for (const operation of operations) {
        const { method, path, body } = exampleRequest(operation);
        const answer = await app.request(method, path, { body, link, cookie });
        const opens = definition.operations.includes(operation.id);
        expect([operation.id, answer.status === 403 ? answer.body.code : "opened"]).toEqual([
          operation.id,
          opens ? "opened" : "system.linkOpensOther",
        ]);
      }
    });
  });

  test("a path that cannot be decoded is answered 404 as a problem document", async () => {
    const answer = await get().app.request("GET", "/%E0%A4%A");
    expect([answer.status, answer.body.code]).toEqual([404, "system.notFound"]);
    expect(answer.text).not.toContain("FST_");
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });

  test("nobody chooses the trace id under which their call is in logs and audit log", async () => {
    for (const id of ["0af7651916cd43dd8448eb211c80319c", "0".repeat(32)]) {
      const headers = { traceparent: `00-${id}-b7ad6b7169203331-01` };
      const { body } = await get().app.request("GET", "/api/nothing/here", { headers });
      expect(body.traceId).toMatch(/^[\dA-Z]{26}$/);
    }
  });

  test("a refusal of a known person is in the audit log at once, and equal ones add no entries", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    for (let i = 0; i < 3; i += 1) expect((await app.request("GET", "/api/vehicles", { token: actor.token })).status).toBe(403);
    const { rows } = await app.process.container.db.exclusive(
      "test",
      async ({ connection }) =>
        await connection.execute("select action, data from audit_entries where result = 'denied' and actor_name = ?", [
          actor.username,
        ]),
    );
    expect(rows).toMatchObject([{ action: "vehicles.list" }]);
    expect(String(rows[0]?.["data"])).toContain("system.permissionMissing");
  });

  test("the sync operations require the sync token, not a user token", async () => {
    const { app, world } = get();
    const actor = await world.actor({ groups: ["admin"] });
    for (const operation of operations.filter(({ access }) => access.kind === "sync")) {
      const { method, path, body } = exampleRequest(operation);
      const answer = await app.request(method, path, { body, token: actor.token });
      expect([operation.id, answer.status]).toEqual([operation.id, 401]);
    }
  });
});

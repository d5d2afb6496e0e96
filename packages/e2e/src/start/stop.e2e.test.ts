import { afterEach, describe, expect, it } from "vitest";
import { call, person } from "@rollcall/testkit/api.ts";
import { connectLive } from "@rollcall/testkit/live.ts";
import { hasMariadb, ownDatabase } from "@rollcall/testkit/servers.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const mariadb = await hasMariadb();

describe("SIGTERM", () => {
  it.skipIf(!mariadb)("lets a running request finish, accepts no new one and ends with 0", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const instance = await scope.instance({ "database.dsn": database.dsn() });
    const program = await scope.serve(instance);
    expect((await scope.run(["role", "allow", "vehicles.list"], instance)).code).toBe(0);
    const { token } = await person(instance, { username: "waiting" });
    await database.admin.query(`lock tables ${database.name}.vehicles write`);
    const request = call(instance.url, "/api/vehicles", { token });
    await until("the request waits in the database", async () => {
      const waiting = await database.rows(
        "select id from information_schema.processlist where db = ? and state like 'Waiting for table%'",
        [database.name],
      );
      return waiting.length > 0;
    });
    program.signal("SIGTERM");
    await program.seen(/"msg":"stopping"/);
    await until(
      "new connections are refused",
      async () =>
        await fetch(`${instance.url}/api/system/client`).then(
          () => false,
          () => true,
        ),
    );
    expect(program.child.exitCode).toBeNull();
    await database.admin.query("unlock tables");
    const answer = await request;
    expect([answer.status, answer.body.items]).toEqual([200, []]);
    const asked = performance.now();
    expect(await program.exited).toBe(0);
    expect(performance.now() - asked).toBeLessThan(9_000);
    expect(program.output()).not.toMatch(/"level":"(?:warn|error)".*"subsystem":"(?!start)/);
  });

  it("makes live clients reconnect elsewhere and ends with 0, despite idle connections", async () => {
    const instance = await scope.instance();
    const program = await scope.serve(instance);
    const { token } = await person(instance, { username: "listening" });
    const live = await connectLive(instance.url, token);
    const from = performance.now();
    program.signal("SIGTERM");
    expect([1001, 1012]).toContain((await live.closed).code);
    expect(await program.exited).toBe(0);
    expect(performance.now() - from).toBeLessThan(9_000);
  });

  it("during the start ends with 0", async () => {
    const instance = await scope.instance({
      ignoreRequirements: true,
      "database.dsn": "root:@tcp(127.0.0.1:1)/x?loc=UTC",
      "nats.url": "nats://127.0.0.1:1",
    });
    const program = await scope.serve(instance);
    program.signal("SIGTERM");
    expect(await program.exited).toBe(0);
  });
});

import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "@rollcall/testkit/ports.ts";
import { type Program } from "@rollcall/testkit/program.ts";
import { hasMariadb, hasNatsServer, ownDatabase, ownNats } from "@rollcall/testkit/servers.ts";
import { createScope, type Scope, type Settings } from "@rollcall/testkit/settings.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const [mariadb, nats] = [await hasMariadb(), hasNatsServer()];

/** Lines that say why a start was refused: plain ones and those of level error. */
function reasons(program: Program): string[] {
  const lines = program.output().trim().split("\n");
  return lines.filter((line) => !line.startsWith("{") || line.includes('"level":"error"'));
}

/** Starts with these settings and expects one line and exit code 1. */
async function refusal(settings: Settings): Promise<string> {
  const program = scope.launch(await scope.instance(settings));
  expect(await program.exited, program.output()).toBe(1);
  expect(reasons(program)).toHaveLength(1);
  return reasons(program)[0]!;
}

async function occupied(host: string): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  scope.defer(async () => await new Promise((resolve) => server.close(resolve)));
  return (server.address() as { port: number }).port;
}

describe("a start is refused in one line", () => {
  it.each(["http.listen", "http.adminListen"])("when the port of %s is in use", async (option) => {
    const port = await occupied("127.0.0.1");
    expect(await refusal({ [option]: `127.0.0.1:${port}` })).toContain(
      `${option}: 127.0.0.1:${port} is in use by another program`,
    );
  });

  it("when the address of http.listen is not one of this machine", async () => {
    expect(await refusal({ "http.listen": `192.0.2.1:${await freePort()}` })).toMatch(
      /http\.listen: 192\.0\.2\.1:\d+ is not an address of this machine/,
    );
  });

  it("when NATS cannot be reached", async () => {
    const port = await freePort();
    expect(await refusal({ "nats.url": `nats://user:hidden-word@127.0.0.1:${port}` })).toMatch(
      new RegExp(`nats\\.url: cannot reach 127\\.0\\.0\\.1:${port} .*; start the server or correct nats\\.url`),
    );
  });

  it.skipIf(!nats)("when NATS has no JetStream", async () => {
    const server = await ownNats([], { jetstream: false });
    scope.defer(async () => await server.remove());
    await server.start();
    expect(await refusal({ "nats.url": `nats://127.0.0.1:${server.port}` })).toMatch(
      /nats\.url: JetStream is not enabled on 127\.0\.0\.1:\d+; start nats-server with -js/,
    );
  });

  it("when MariaDB cannot be reached", async () => {
    const port = await freePort();
    const line = await refusal({ "database.dsn": `root:hidden-word@tcp(127.0.0.1:${port})/city?loc=UTC` });
    expect(line).toContain(`database.dsn: 127.0.0.1:${port} refuses connections`);
    expect(line).not.toContain("hidden-word");
  });

  it.skipIf(!mariadb)("when MariaDB refuses the user", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const line = await refusal({ "database.dsn": database.dsn({ user: "nobody-of-this-name" }) });
    expect(line).toContain("database.dsn: ");
  });

  it("when a custom column does not exist", async () => {
    expect(await refusal({ "database.custom.columns.user.visum": "nope" })).toContain(
      String.raw`database.custom.columns.user.visum: there is no column \"nope\" in citizens`,
    );
  });

  it("when another process serves the same SQLite file, which continues to serve", async () => {
    const first = await scope.instance();
    const program = await scope.serve(first);
    const port = await freePort();
    const second = await scope.instance();
    second.set({
      "database.dsn": `sqlite:${first.folder}/data/rollcall.db`,
      "http.listen": `127.0.0.1:${port}`,
    });
    const refused = scope.launch(second);
    expect(await refused.exited, refused.output()).toBe(1);
    expect(reasons(refused)).toEqual([expect.stringMatching(/another Rollcall process already serves .*rollcall\.db; stop it/)]);
    expect(program.child.exitCode).toBeNull();
    expect((await fetch(`${first.adminUrl}/readyz`)).status).toBe(200);
  });

  it.skipIf(!mariadb)("when another process has the same embedded broker", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const instance = await scope.instance({ "database.dsn": database.dsn() });
    const program = await scope.serve(instance);
    const settings = {
      "database.dsn": database.dsn(),
      "http.listen": `127.0.0.1:${await freePort()}`,
      "http.adminListen": "",
    };
    instance.set(settings);
    const refused = scope.launch(instance);
    expect(await refused.exited, refused.output()).toBe(1);
    expect(reasons(refused)).toEqual([
      expect.stringMatching(/embedded broker file .*rollcall\.broker is in use by process \d+; .* nats\.url/),
    ]);
    expect(await program.stop()).toBe(0);
    // The lock of the first one is free again.
    await scope.serve(instance);
  });

  it("after a kill no lock remains", async () => {
    const instance = await scope.instance();
    const killed = await scope.serve(instance);
    killed.signal("SIGKILL");
    await killed.exited;
    await scope.serve(instance);
  });
});

it("a wrong configuration starts nothing: every problem with its position, exit code 78", async () => {
  const program = scope.launch(await scope.instance({ "jwt.secret": "short", "http.listen": "nowhere", "nats.url": "http://x" }));
  expect(await program.exited).toBe(78);
  expect(program.stdout()).toBe("");
  const lines = program.stderr().trim().split("\n");
  for (const option of ["jwt.secret", "http.listen", "nats.url"])
    expect(
      lines.filter((line) => new RegExp(`^\\S*config\\.yaml:\\d+:\\d+ {2}${option} {2}`).test(line)),
      option,
    ).toHaveLength(1);
});

import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { sqliteRows } from "@rollcall/testkit/outside.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

it("while it stops, /readyz says so before the port is closed, and until it ends", async () => {
  const instance = await scope.instance();
  const program = await scope.serve(instance);
  expect((await call(instance.adminUrl, "/readyz")).status).toBe(200);
  // A request whose body never ends keeps it for the whole time that it waits for running ones.
  const socket = connect(instance.port, "127.0.0.1");
  socket.on("error", () => undefined);
  scope.defer(() => socket.destroy());
  socket.write(
    "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nX-Rollcall: 1\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n",
  );
  // The answer shows that the request has arrived; without it there would be nothing to wait for.
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 100 /);
  program.signal("SIGTERM");
  await until(
    "the port is closed",
    async () =>
      await fetch(`${instance.url}/api/system/client`).then(
        () => false,
        () => true,
      ),
  );
  const { status, body } = await call(instance.adminUrl, "/readyz");
  expect([status, body.state]).toEqual([503, "down"]);
  expect(body.parts).toContainEqual(expect.objectContaining({ part: "server", state: "down", reason: "stopping" }));
  expect(await program.exited).toBe(1);
  expect(program.output()).toContain("did not end within 15 s, so the server ends without them");
});

it("health asks the other listener where the admin one is off", async () => {
  const instance = await scope.instance({ "http.adminListen": "" });
  const health = async (...args: string[]) => await scope.run(["health", ...args], instance);
  expect(await health()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("http.listen, because http.adminListen is off"),
  });
  await scope.serve(instance);
  for (const args of [[], ["--ready"]]) expect(await health(...args)).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
});

it.each(["http.listen", "http.adminListen"])("a start whose %s is in use has changed nothing", async (option) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scope.defer(async () => await new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as { port: number };
  const instance = await scope.instance({ [option]: `127.0.0.1:${port}` });
  const refused = scope.launch(instance);
  expect(await refused.exited, refused.output()).toBe(1);
  const tables = sqliteRows(`${instance.folder}/data/rollcall.db`, "select name from sqlite_master where type = 'table'");
  expect(tables).toEqual([]);
});

import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance, type Program, runProgram } from "@rollcall/testkit/program.ts";

const stop: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of stop.splice(0).toReversed()) await end();
});

/** The demo city takes a while to load on a machine that is busy with other tests. */
const slow = 240_000;

/** A start in an empty folder, as a newcomer makes it; on ports of its own, because the usual ones may be in use. */
async function emptyFolder() {
  const instance: Instance = await makeInstance();
  stop.push(() => instance.remove());
  const cwd = path.join(instance.folder, "home");
  mkdirSync(cwd);
  const env = {
    ROLLCALL_HTTP_LISTEN: `127.0.0.1:${instance.port}`,
    ROLLCALL_HTTP_ADMINLISTEN: `127.0.0.1:${instance.adminPort}`,
    ROLLCALL_HTTP_PUBLICURL: instance.url,
    ROLLCALL_HTTP_ORIGINS: instance.url,
  };
  const run = (...args: string[]): Program => {
    const program = runProgram(args, { cwd, env });
    stop.push(() => program.stop());
    return program;
  };
  return { cwd, instance, run };
}

describe("a first start", () => {
  it(
    "that ends while the demo city loads is completed by the next one, with logins that sign in",
    async () => {
      const { cwd, instance, run } = await emptyFolder();
      const first = run("start");
      await first.seen(/^accounts +\d+$/m);
      first.signal("SIGKILL");
      await first.exited;
      const asked = run("demo", "logins");
      expect(await asked.exited).toBe(1);
      expect(asked.stderr()).toContain("the demo city is not complete");

      const second = run("start");
      const [, username = "", password = ""] = await second.seen(/^ {2}(\S+) +(\S{16}) {2}\S/m);
      expect(second.stderr()).toContain("The demo city was not complete");
      expect(second.stdout()).not.toContain("/setup#");
      const { status } = await call(instance.url, "/api/auth/login", { method: "POST", body: { username, password } });
      expect(status).toBe(200);
      await second.stop();
      expect(readdirSync(path.join(cwd, "data")).filter((name) => name.includes("demo"))).toEqual([]);

      const third = run("start");
      await third.seen(/The demo logins, with new passwords/);
      expect(third.output()).not.toMatch(/^accounts +\d+$/m);
    },
    slow,
  );
});

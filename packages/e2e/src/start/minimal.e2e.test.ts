import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance, runProgram, secrets } from "@rollcall/testkit/program.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const places: Instance[] = [];
afterEach(() => places.splice(0).forEach((instance) => instance.remove()));

const requiredOnly = ({ port }: { port: number }) => `jwt: { secret: "${secrets.jwt}" }
http:
  publicURL: http://localhost:${port}
  origins: ["http://localhost:${port}"]
  trustedProxies: []
  sessions: { cookieSecret: "${secrets.cookie}", domain: localhost }
database: { dsn: "sqlite:./rollcall.db" }
nats: { url: "embedded:" }
`;

if (!isRoot) process.stderr.write("these tests do not run as root, so the start as another user runs as this one\n");

describe("with the required options only", () => {
  it.skipIf(existsSync("/data"))(
    "a user without root gets a program that is ready, with a warning for each missing part",
    async () => {
      const instance = await makeInstance({ config: requiredOnly });
      places.push(instance);
      const cwd = path.join(instance.folder, "home");
      mkdirSync(cwd);
      chmodSync(instance.folder, 0o755);
      if (isRoot) chownSync(cwd, nobody, nobody);
      // The default ports may be in use on the machine of the tests; everything else is a default.
      const env = {
        ROLLCALL_CONFIG: path.join(instance.folder, "config.yaml"),
        ROLLCALL_HTTP_LISTEN: `127.0.0.1:${instance.port}`,
        ROLLCALL_HTTP_ADMINLISTEN: `127.0.0.1:${instance.adminPort}`,
      };
      const program = runProgram(["serve"], { cwd, env, ...(isRoot ? { uid: nobody, gid: nobody } : {}) });
      try {
        await program.seen(/Rollcall [\d.]+ serves/);
        const warned = program
          .stderr()
          .split("\n")
          .flatMap((line) => (line.includes('"level":"warn"') ? [(JSON.parse(line) as { option?: string }).option] : []));
        expect(warned.toSorted()).toEqual(["auth.configAdminGroups", "chat.enabled", "storage.filesystem.path", "sync.enabled"]);
        const ready = await call(instance.adminUrl, "/readyz");
        expect([ready.status, ready.body.state]).toEqual([200, "degraded"]);
        const states = Object.fromEntries(
          ready.body.parts.map((part: { part: string; state: string }) => [part.part, part.state]),
        );
        expect(states).toEqual({
          database: "ok",
          broker: "ok",
          server: "ok",
          storage: "degraded",
        });
        expect((await call(instance.url, "/api/system/client")).status).toBe(200);
        const icons = await call(instance.url, "/api/icons/tabler.json?icons=user");
        expect(icons.body.icons).toHaveProperty("user");
        const modes = readdirSync(cwd, { recursive: true, encoding: "utf8" }).map(
          (name) => [name, statSync(path.join(cwd, name)).mode & 0o077] as const,
        );
        expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(["rollcall.db", "rollcall.db-wal"]));
        expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
      } finally {
        expect(await program.stop()).toBe(0);
      }
    },
  );
});

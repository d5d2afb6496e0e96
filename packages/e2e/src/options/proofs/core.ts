import assert from "node:assert/strict";
import { jwtVerify } from "jose";
import { call } from "@rollcall/testkit/api.ts";
import { freePort } from "@rollcall/testkit/ports.ts";
import type { OptionProof } from "../proof.ts";

const otherJwt = "another-jwt-secret-of-e2e-tests-4444";
const usualJwt = "jwt-secret-for-e2e-tests-22222";

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const verifies = async (token: string, secret: string) =>
  await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ["HS256"] }).then(
    () => true,
    () => false,
  );

export const proofs: readonly OptionProof[] = [
  {
    option: "mode",
    first: {
      value: "release",
      observed: "every line on standard error is JSON; no routes are listed; the body of an error has no stack",
    },
    second: {
      value: "debug",
      observed: "lines are readable text with the list of routes; the body of an error has its stack",
    },
    group: "web",
    play: (stage) => ({
      settings: [{ mode: "release" }, { mode: "debug" }],
      async observe(value) {
        const { program, url } = stage;
        const { status, body } = await call(url, "/api/none");
        assert.equal(status, 404);
        if (value === 0) {
          const lines = program.stderr().trim().split("\n");
          assert.ok(lines.length > 0 && lines.every(isJson), program.stderr());
          assert.doesNotMatch(program.output(), /api\/sync\/v1\/users/);
          assert.equal(body.stack, undefined);
        } else {
          await program.seen(/api\/sync\/v1\/users/);
          assert.match(program.stderr(), /^\d\d:\d\d:\d\d\.\d{3} INFO /m);
          assert.ok(!program.stderr().split("\n").some(isJson));
          assert.match(body.stack, /^ {4}at /m);
        }
      },
    }),
  },
  {
    option: "logLevel",
    first: { value: "INFO", observed: "a request leaves no line on standard error" },
    second: {
      value: "debug",
      observed: "a request leaves a line on standard error with its path and status",
    },
    group: "log",
    play: (stage) => ({
      settings: [{ logLevel: "INFO" }, { logLevel: "debug" }],
      async observe(value) {
        const { program, url } = stage;
        assert.equal((await call(url, "/api/system/client")).status, 200);
        if (value === 0) assert.doesNotMatch(program.output(), /"level":"debug"/);
        else await program.seen(/"route":"\/api\/system\/client","status":200/);
      },
    }),
  },
  {
    option: "ignoreRequirements",
    first: {
      value: "false",
      observed: "without the broker the start is refused: one line naming nats.url, exit code 1",
    },
    second: {
      value: "true",
      observed: "without the broker it serves; /readyz says that the broker is missing",
    },
    async run(kit) {
      const settings = { "nats.url": `nats://127.0.0.1:${await freePort()}` };
      const refused = kit.launch(await kit.instance(settings));
      const { instance } = await kit.start({ ...settings, ignoreRequirements: true });
      assert.equal(await refused.exited, 1);
      assert.match(refused.stderr(), /nats\.url: cannot reach 127\.0\.0\.1:\d+/);
      const { body } = await call(instance.adminUrl, "/readyz");
      assert.notEqual(body.parts.find((part: { part: string }) => part.part === "broker").state, "ok");
      assert.equal((await call(instance.url, "/api/system/client")).status, 200);
    },
  },
  {
    option: "jwt.secret",
    first: {
      value: "a secret",
      observed: "a user token verifies with it and with no other (library jose); it opens the list of jobs",
    },
    second: {
      value: "another secret",
      observed: "after a restart the old token is refused with 401; new ones verify with the other secret only",
    },
    group: "web",
    play(stage) {
      const jwtSecrets = [usualJwt, otherJwt] as const;
      const issued: [string?, string?] = [];
      return {
        settings: jwtSecrets.map((secret) => ({ "jwt.secret": secret })),
        async observe(value) {
          const other = issued[1 - value];
          if (other !== undefined) assert.equal((await call(stage.url, "/api/jobs", { token: other })).status, 401);
          const { token } = await stage.person("jwtone");
          const verified = await Promise.all(jwtSecrets.map(async (secret) => await verifies(token, secret)));
          assert.deepEqual(verified, [value === 0, value === 1]);
          assert.equal((await call(stage.url, "/api/jobs", { token })).status, 200);
          issued[value] = token;
        },
      };
    },
  },
];

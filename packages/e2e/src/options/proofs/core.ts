import assert from "node:assert/strict";
import { jwtVerify } from "jose";
import { call, person, signIn } from "../../kit/api.ts";
import { freePort } from "../../kit/program.ts";
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
    async run(kit) {
      const [release, debug] = await Promise.all([kit.usual(), kit.start({ mode: "debug" })]);
      await debug.program.seen(/api\/sync\/v1\/users/);
      const lines = release.program.stderr().trim().split("\n");
      assert.ok(lines.length > 0 && lines.every(isJson), release.program.stderr());
      assert.doesNotMatch(release.program.output(), /api\/sync\/v1\/users/);
      assert.match(debug.program.stderr(), /^\d\d:\d\d:\d\d\.\d{3} INFO /m);
      assert.ok(!debug.program.stderr().split("\n").some(isJson));
      const [quiet, open] = [await call(release.url, "/api/none"), await call(debug.url, "/api/none")];
      assert.equal(quiet.status, 404);
      assert.equal(quiet.body.stack, undefined);
      assert.match(open.body.stack, /^ {4}at /m);
    },
  },
  {
    option: "logLevel",
    first: { value: "INFO", observed: "a request leaves no line on standard error" },
    second: {
      value: "debug",
      observed: "a request leaves a line on standard error with its path and status",
    },
    async run(kit) {
      const [info, debug] = await Promise.all([kit.usual(), kit.start({ logLevel: "debug" })]);
      for (const { url } of [info, debug]) assert.equal((await call(url, "/api/system/client")).status, 200);
      await debug.program.seen(/"route":"\/api\/system\/client","status":200/);
      assert.doesNotMatch(info.program.output(), /"level":"debug"/);
    },
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
      const refused = kit.launch(await kit.place(settings));
      const { place } = await kit.start({ ...settings, ignoreRequirements: true });
      assert.equal(await refused.exited, 1);
      assert.match(refused.stderr(), /nats\.url: cannot reach 127\.0\.0\.1:\d+/);
      const { body } = await call(place.adminUrl, "/readyz");
      assert.notEqual(body.parts.find((part: { part: string }) => part.part === "broker").state, "ok");
      assert.equal((await call(place.url, "/api/system/client")).status, 200);
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
    async run(kit) {
      const { place, program } = await kit.start();
      const one = await person(place, { username: "jwtone" });
      assert.deepEqual([await verifies(one.token, usualJwt), await verifies(one.token, otherJwt)], [true, false]);
      assert.equal((await call(place.url, "/api/jobs", { token: one.token })).status, 200);
      await program.stop();
      place.set({ "jwt.secret": otherJwt });
      await kit.serve(place);
      assert.equal((await call(place.url, "/api/jobs", { token: one.token })).status, 401);
      const { token } = await signIn(place.url, one.username, one.password);
      assert.deepEqual([await verifies(token, usualJwt), await verifies(token, otherJwt)], [false, true]);
      assert.equal((await call(place.url, "/api/jobs", { token })).status, 200);
    },
  },
];

import assert from "node:assert/strict";
import path from "node:path";
import { call, person } from "../../kit/api.ts";
import { freePort } from "../../kit/program.ts";
import { auditAddresses, listeningPorts } from "../../kit/outside.ts";
import type { OptionProof } from "../proof.ts";

const otherCookieSecret = "another-cookie-secret-of-e2e-tests-5";
const forwarded = "203.0.113.9";

/** Signs in nobody, which the audit trail keeps with the address. */
async function failedLogin(url: string): Promise<void> {
  const answer = await call(url, "/api/auth/login", {
    body: { username: "nobody", password: "wrong" },
    headers: { "x-forwarded-for": `198.51.100.7, ${forwarded}` },
  });
  assert.equal(answer.status, 401);
}

const connects = async (address: string, port: number) =>
  await fetch(`http://${address}:${port}/api/system/client`).then(
    (answer) => answer.status === 200,
    () => false,
  );

export const proofs: readonly OptionProof[] = [
  {
    option: "http.listen",
    first: {
      value: '"127.0.0.1:PORT"',
      observed: "answers on 127.0.0.1; a connection to 127.0.0.2 is refused",
    },
    second: { value: '":OTHER"', observed: "answers on the other port, on 127.0.0.1, 127.0.0.2 and ::1" },
    async run(kit) {
      const port = await freePort();
      const [a, b] = [await kit.usual(), await kit.start({ "http.listen": `:${port}` })];
      assert.deepEqual([await connects("127.0.0.1", a.place.port), await connects("127.0.0.2", a.place.port)], [true, false]);
      assert.deepEqual(
        [await connects("127.0.0.1", port), await connects("127.0.0.2", port), await connects("[::1]", port)],
        [true, true, true],
      );
      assert.equal(await connects("127.0.0.1", b.place.port), false);
    },
  },
  {
    option: "http.adminListen",
    first: {
      value: '"127.0.0.1:PORT"',
      observed: "the process listens on two ports; /metrics answers on this one",
    },
    second: { value: '""', observed: "the process listens on the port of http.listen alone" },
    async run(kit) {
      const [a, b] = await kit.pair({}, { "http.adminListen": "" });
      assert.equal((await call(a.place.adminUrl, "/metrics")).status, 200);
      assert.deepEqual(
        listeningPorts(a.program.child.pid!),
        [a.place.port, a.place.adminPort].toSorted((x, y) => x - y),
      );
      assert.deepEqual(listeningPorts(b.program.child.pid!), [b.place.port]);
    },
  },
  {
    option: "http.publicURL",
    first: {
      value: "http://localhost:PORT",
      observed: "the session cookie is SameSite=Lax without Secure; no strict-transport-security; browsers are told this address",
    },
    second: {
      value: "https://localhost",
      observed:
        "the session cookie is Secure; SameSite=None; strict-transport-security is sent; browsers are told this address, whatever the Host header says",
    },
    async run(kit) {
      const secure = "https://localhost";
      const [a, b] = [await kit.usual(), await kit.start({ "http.publicURL": secure, "http.origins": [secure] })];
      await kit.admin();
      const { username, password } = await person(b.place, { username: "secure" });
      const cookieOf = async (url: string, body: object) =>
        (await call(url, "/api/auth/login", { body })).headers.get("set-cookie") ?? "";
      const { username: name, password: word } = await kit.admin();
      assert.match(await cookieOf(a.url, { username: name, password: word }), /SameSite=Lax$/);
      assert.match(await cookieOf(b.url, { username, password }), /; Secure; SameSite=None$/);
      const [plain, strict] = await Promise.all([
        call(a.url, "/api/system/client"),
        call(b.url, "/api/system/client", { headers: { "x-forwarded-host": "evil.example" } }),
      ]);
      assert.deepEqual([plain.body.publicUrl, strict.body.publicUrl], [a.place.url, secure]);
      assert.equal(plain.headers.get("strict-transport-security"), null);
      assert.match(strict.headers.get("strict-transport-security") ?? "", /max-age=\d+/);
    },
  },
  {
    option: "http.origins",
    first: {
      value: "[http://localhost:PORT]",
      observed: "a call with the Origin https://tablet.example is refused with 403 naming http.origins",
    },
    second: {
      value: "[https://tablet.example]",
      observed: "the same call is let in, and the origin of its own address is refused",
    },
    async run(kit) {
      const tablet = "https://tablet.example";
      const [a, b] = [await kit.usual(), await kit.start({ "http.origins": [tablet] })];
      const from = async (url: string, origin: string) =>
        await call(url, "/api/auth/logout", { method: "POST", headers: { origin } });
      const refused = await from(a.url, tablet);
      assert.equal(refused.status, 403);
      assert.match(refused.body.title, /http\.origins/);
      assert.equal((await from(a.url, a.url)).status, 204);
      assert.equal((await from(b.url, tablet)).headers.get("access-control-allow-origin"), tablet);
      assert.equal((await from(b.url, b.url)).status, 403);
    },
  },
  {
    option: "http.trustedProxies",
    first: {
      value: "[10.0.0.0/8]",
      observed: "a call from 127.0.0.1: the audit row of its failed sign-in has 127.0.0.1, whatever X-Forwarded-For says",
    },
    second: {
      value: "[127.0.0.0/8]",
      observed:
        "the audit row has the last address of X-Forwarded-For, which the proxy added, not an earlier one, which anybody may write",
    },
    async run(kit) {
      const [a, b] = await kit.pair({ "http.trustedProxies": ["10.0.0.0/8"] }, { "http.trustedProxies": ["127.0.0.0/8"] });
      for (const { url } of [a, b]) await failedLogin(url.replace("localhost", "127.0.0.1"));
      assert.deepEqual(auditAddresses(path.join(a.place.folder, "data", "rollcall.db")), ["127.0.0.1"]);
      assert.deepEqual(auditAddresses(path.join(b.place.folder, "data", "rollcall.db")), [forwarded]);
    },
  },
  {
    option: "http.sessions",
    first: { value: "with cookieSecret and domain", observed: "starts and sets a session cookie at sign-in" },
    second: {
      value: "left out",
      observed: "the start is refused with exit code 78 and a line for each of its two options",
    },
    async run(kit) {
      const { cookie } = await kit.admin();
      assert.match(cookie, /^rollcall_session=.+/);
      const without = kit.launch(await kit.place({ "http.sessions.cookieSecret": undefined, "http.sessions.domain": undefined }));
      assert.equal(await without.exited, 78);
      assert.match(without.stderr(), /^\S+:\d+:\d+ {2}http\.sessions\.cookieSecret {2}/m);
      assert.match(without.stderr(), /^\S+:\d+:\d+ {2}http\.sessions\.domain {2}/m);
    },
  },
  {
    option: "http.sessions.cookieSecret",
    first: { value: "a secret", observed: "a session cookie still holds after a restart" },
    second: { value: "another secret", observed: "after a restart the same cookie is refused with 401" },
    async run(kit) {
      const { place, program } = await kit.start();
      const { cookie } = await person(place, { username: "cookieowner" });
      const status = async () => (await call(place.url, "/api/auth/characters", { cookie })).status;
      await program.stop();
      const again = await kit.serve(place);
      assert.equal(await status(), 200);
      await again.stop();
      place.set({ "http.sessions.cookieSecret": otherCookieSecret });
      await kit.serve(place);
      assert.equal(await status(), 401);
    },
  },
  {
    option: "http.sessions.domain",
    first: { value: "localhost", observed: "the cookie is set for Domain=localhost" },
    second: { value: "example.test", observed: "the cookie is set for Domain=example.test" },
    async run(kit) {
      const url = "http://city.example.test";
      const b = await kit.start({
        "http.sessions.domain": "example.test",
        "http.publicURL": url,
        "http.origins": [url],
      });
      const a = await kit.usual();
      const one = await kit.admin();
      const two = await person(b.place, { username: "domainowner" });
      const cookieOf = async (base: string, { username, password }: { username: string; password: string }) =>
        (await call(base, "/api/auth/login", { body: { username, password } })).headers.get("set-cookie") ?? "";
      assert.match(await cookieOf(a.url, one), /; Domain=localhost;/);
      assert.match(await cookieOf(b.url, two), /; Domain=example\.test;/);
    },
  },
];

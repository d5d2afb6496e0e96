import assert from "node:assert/strict";
import path from "node:path";
import { call, type Person } from "@rollcall/testkit/api.ts";
import { freePort } from "@rollcall/testkit/ports.ts";
import { listeningPorts, sqliteRows } from "@rollcall/testkit/outside.ts";
import type { OptionProof } from "../proof.ts";

const otherCookieSecret = "another-cookie-secret-of-e2e-tests-5";
const forwarded = "203.0.113.9";

/** A failed sign-in, which the audit log records with the address. */
async function failedLogin(url: string): Promise<void> {
  const answer = await call(url, "/api/auth/login", {
    body: { username: "nobody", password: "wrong" },
    headers: { "x-forwarded-for": `198.51.100.7, ${forwarded}` },
  });
  assert.equal(answer.status, 401);
}

/** The session cookie as a sign-in sets it. */
const cookieSet = async (url: string, { username, password }: Pick<Person, "username" | "password">) =>
  (await call(url, "/api/auth/login", { body: { username, password } })).headers.get("set-cookie") ?? "";

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
    group: "log",
    async play(stage) {
      const { port: usual } = stage.instance;
      const other = await freePort();
      return {
        settings: [{}, { "http.listen": `:${other}` }],
        async observe(value) {
          const answering = async (port: number) =>
            await Promise.all(["127.0.0.1", "127.0.0.2", "[::1]"].map(async (address) => await connects(address, port)));
          if (value === 0) assert.deepEqual((await answering(usual)).slice(0, 2), [true, false]);
          else assert.deepEqual([await answering(other), (await answering(usual))[0]], [[true, true, true], false]);
        },
      };
    },
  },
  {
    option: "http.adminListen",
    first: {
      value: '"127.0.0.1:PORT"',
      observed: "the process listens on two ports; /metrics answers on this one",
    },
    second: { value: '""', observed: "the process listens on the port of http.listen alone" },
    group: "web",
    play: (stage) => ({
      settings: [{}, { "http.adminListen": "" }],
      async observe(value) {
        const { port, adminPort, adminUrl } = stage.instance;
        const ports = listeningPorts(stage.program.child.pid!);
        if (value === 0) assert.equal((await call(adminUrl, "/metrics")).status, 200);
        assert.deepEqual(ports, value === 0 ? [port, adminPort].toSorted((x, y) => x - y) : [port]);
      },
    }),
  },
  {
    option: "http.publicURL",
    first: {
      value: "http://localhost:PORT",
      observed: "the session cookie is SameSite=Lax without Secure; no strict-transport-security; browsers get this address",
    },
    second: {
      value: "https://localhost",
      observed:
        "the session cookie is Secure; SameSite=None; strict-transport-security is sent; browsers get this address, whatever the Host header says",
    },
    group: "web",
    play(stage) {
      const secure = "https://localhost";
      return {
        settings: [{}, { "http.publicURL": secure, "http.origins": [secure] }],
        async observe(value) {
          const set = await cookieSet(stage.url, await stage.person("secure"));
          assert.match(set, value === 0 ? /SameSite=Lax$/ : /; Secure; SameSite=None$/);
          if (value === 0) assert.doesNotMatch(set, /Secure/);
          const headers = { "x-forwarded-host": "evil.example" };
          const answer = await call(stage.url, "/api/system/client", value === 0 ? {} : { headers });
          assert.equal(answer.body.publicUrl, [stage.instance.url, secure][value]);
          const transport = answer.headers.get("strict-transport-security");
          if (value === 0) assert.equal(transport, null);
          else assert.match(transport ?? "", /max-age=\d+/);
        },
      };
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
    group: "log",
    play(stage) {
      const tablet = "https://tablet.example";
      const from = async (origin: string) => await call(stage.url, "/api/auth/logout", { method: "POST", headers: { origin } });
      return {
        settings: [{}, { "http.origins": [tablet] }],
        async observe(value) {
          const own = stage.instance.url;
          if (value === 1) {
            assert.equal((await from(tablet)).headers.get("access-control-allow-origin"), tablet);
            assert.equal((await from(own)).status, 403);
            return;
          }
          const refused = await from(tablet);
          assert.equal(refused.status, 403);
          assert.match(refused.body.title, /http\.origins/);
          assert.equal((await from(own)).status, 204);
        },
      };
    },
  },
  {
    option: "http.gameResource",
    first: {
      value: "(unset)",
      observed: "pages may be framed by nui://game and https://cfx-nui-rollcall, and by no other resource",
    },
    second: { value: "our-tablet", observed: "pages may be framed by nui://game and https://cfx-nui-our-tablet instead" },
    group: "web",
    play: (stage) => ({
      settings: [{}, { "http.gameResource": "our-tablet" }],
      async observe(value) {
        const page = await fetch(stage.url, { headers: { accept: "text/html" } });
        const policy = page.headers.get("content-security-policy") ?? "";
        const ancestors = /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(" ") ?? [];
        const ofGame = ["nui://game", `https://cfx-nui-${["rollcall", "our-tablet"][value]}`];
        assert.deepEqual(
          ancestors.filter((one) => one.includes("nui")),
          ofGame,
        );
      },
    }),
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
    group: "web",
    play: (stage) => ({
      settings: [{ "http.trustedProxies": ["10.0.0.0/8"] }, { "http.trustedProxies": ["127.0.0.0/8"] }],
      async observe(value) {
        await failedLogin(stage.url.replace("localhost", "127.0.0.1"));
        const last = sqliteRows(
          path.join(stage.instance.folder, "data", "rollcall.db"),
          "select address from audit_entries where action = 'auth.login' and result = 'denied' order by id desc limit 1",
        );
        assert.deepEqual(
          last.map(({ address }) => address),
          [["127.0.0.1"], [forwarded]][value],
        );
      },
    }),
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
      const without = kit.launch(
        await kit.instance({ "http.sessions.cookieSecret": undefined, "http.sessions.domain": undefined }),
      );
      assert.equal(await without.exited, 78);
      assert.match(without.stderr(), /^\S+:\d+:\d+ {2}http\.sessions\.cookieSecret {2}/m);
      assert.match(without.stderr(), /^\S+:\d+:\d+ {2}http\.sessions\.domain {2}/m);
    },
  },
  {
    option: "http.sessions.cookieSecret",
    first: { value: "a secret", observed: "a session cookie still holds after a restart" },
    second: { value: "another secret", observed: "after a restart the same cookie is refused with 401" },
    group: "records",
    play(stage) {
      const held: string[][] = [[], []];
      return {
        settings: [{}, { "http.sessions.cookieSecret": otherCookieSecret }],
        async observe(value) {
          const statuses = async (cookies: readonly string[]) =>
            await Promise.all(cookies.map(async (cookie) => (await call(stage.url, "/api/auth/characters", { cookie })).status));
          assert.deepEqual(new Set(await statuses(held[value]!)), new Set(held[value]!.map(() => 200)));
          assert.deepEqual(new Set(await statuses(held[1 - value]!)), new Set(held[1 - value]!.map(() => 401)));
          held[value]!.push((await stage.person("cookieowner")).cookie);
        },
      };
    },
  },
  {
    option: "http.sessions.domain",
    first: { value: "localhost", observed: "the cookie is set for Domain=localhost" },
    second: { value: "example.test", observed: "the cookie is set for Domain=example.test" },
    group: "records",
    play(stage) {
      const url = "http://city.example.test";
      return {
        settings: [{}, { "http.sessions.domain": "example.test", "http.publicURL": url, "http.origins": [url] }],
        async observe(value) {
          const set = await cookieSet(stage.url, await stage.person("domainowner"));
          assert.match(set, value === 0 ? /; Domain=localhost;/ : /; Domain=example\.test;/);
        },
      };
    },
  },
];

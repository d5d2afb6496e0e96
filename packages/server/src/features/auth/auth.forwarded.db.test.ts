import { isIP } from "node:net";
import { expect, test } from "vitest";
import { clientAddress } from "#features/system/system.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { login } from "./auth.contract.ts";

const proxy = "10.20.30.40";

describeApps(
  "forwarded addresses",
  (get) => {
    const from = (forwarded: string, address: string) => ({ address, headers: { "x-forwarded-for": forwarded } });
    const refused = async (forwarded: string, username: string, address = proxy) =>
      await get().app.call(login, { body: { username, password: "guess" } }, from(forwarded, address));

    let admin: TestActor | undefined;
    const seen = async (forwarded: string, address = proxy) => {
      admin ??= await get().world.actor({ groups: ["admin"] });
      return (await get().app.call(clientAddress, {}, { cookie: admin.cookie, ...from(forwarded, address) })).output;
    };

    test.each([
      ["203.0.113.61", "203.0.113.61"],
      ["203.0.113.62:50123", "203.0.113.62"],
      ["[2001:DB8:0:0::5]:1234", "2001:db8::5"],
      ["[2001:db8::6]", "2001:db8::6"],
      ["2001:db8::7%eth0", "2001:db8::7"],
      ["::ffff:203.0.113.63", "203.0.113.63"],
      ["198.51.100.1, 203.0.113.64", "203.0.113.64"],
      ["198.51.100.2,203.0.113.65:1, 10.20.30.40", "203.0.113.65"],
      ["garbage", proxy],
      ["198.51.100.3, unknown", proxy],
      ["198.51.100.4, ", proxy],
      ["127.1", proxy],
      ["0x7f000001", proxy],
      ["203.0.113.066", proxy],
      ["203.0.113.67:", proxy],
      ["203.0.113.68:99999999", proxy],
      ["1".repeat(300), proxy],
      [`203.0.113.69:${"1".repeat(80)}`, proxy],
      ["\u00ff\u00fe<script>", proxy],
    ])("%j is one address", async (forwarded, address) => {
      const answer = await seen(forwarded);
      expect([answer.address, answer.forwarded, answer.ignored]).toEqual([address, true, address === proxy]);
      const login = await refused(forwarded, `nobody${Math.random().toString(36).slice(2)}`);
      expect([login.status, login.body.code]).toEqual([401, "auth.wrongPassword"]);
    });

    test("the audit log has the address without its port", async () => {
      const { app, world } = get();
      const { username, password } = await world.actor();
      await app.call(login, { body: { username, password: "guess" } }, from("[2001:DB8:1:2::60]:4711", proxy));
      await app.call(login, { body: { username, password } }, from("203.0.113.60:4711", proxy));
      await app.call(login, { body: { username, password } }, from("[2001:DB8::60]:4711", proxy));
      const { rows } = await app.process.container.db.exclusive(
        "test",
        async ({ connection }) =>
          await connection.execute(
            "select distinct address from audit_entries where action = 'auth.login' and address <> '127.0.0.1'",
            [],
          ),
      );
      const addresses = rows.map((row) => String(row["address"]));
      // Refused sign-ins are folded by network, and a network of IPv6 is a /64.
      expect(addresses).toEqual(expect.arrayContaining(["203.0.113.60", "2001:db8::60", "2001:db8:1:2::/64"]));
      expect(addresses.filter((address) => isIP(address.replace(/\/64$/, "")) === 0)).toEqual([]);
    });

    test("the throttle counts attempts from several ports of one address together", async () => {
      const statuses = [];
      for (let i = 0; i < 40; i += 1) statuses.push((await refused(`203.0.113.70:${40_000 + i}`, `port${i}`)).status);
      expect(statuses.slice(0, 30)).toEqual(Array<number>(30).fill(401));
      expect(statuses.slice(32)).toEqual(Array<number>(8).fill(429));
      expect((await refused("203.0.113.71:40000", "port")).status).toBe(401);
    });

    test("an IPv4 address mapped to IPv6 is recognized as the listed proxy", async () => {
      expect(await seen("203.0.113.80", `::ffff:${proxy}`)).toMatchObject({ address: "203.0.113.80", ignored: false });
      expect(await seen("203.0.113.80", "::ffff:203.0.113.81")).toMatchObject({ address: "203.0.113.81", ignored: true });
    });
  },
  { ROLLCALL_HTTP_TRUSTEDPROXIES: proxy },
);

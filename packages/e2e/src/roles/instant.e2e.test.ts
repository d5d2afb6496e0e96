import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call, person, type Person, sendTo, userToken } from "@rollcall/testkit/api.ts";
import { hasMariadb, hasNats, makeDatabase, makeNats, type OwnDatabase, type OwnNats } from "@rollcall/testkit/backing.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { connectLive } from "@rollcall/testkit/live.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { makeInstance, type Instance, type Program, run, serve, usualConfig } from "@rollcall/testkit/program.ts";

/** Well below the pause after which everything is read again anyway; on a quiet machine it takes 100 ms. */
const soonMs = 5000;
const listing = { "citizens.list": { allow: true, attributes: { fields: ["job"] } } };
const entry = 'nav a[href="/citizens"]';
const forbidden = "text=You do not have access to this page";
const row = "[role=row][data-index]";

/** Two processes, each web and worker, on one MariaDB and one NATS: a role is changed in one, seen in the other. */
describe.skipIf(!hasMariadb || !hasNats)("a change of a role in another process", () => {
  let database: OwnDatabase;
  let nats: OwnNats;
  let [a, b]: Instance[] = [];
  const programs: Program[] = [];
  let chief: Person;
  let officer: Person;
  const role = "/api/access/jobs/police/roles/1";

  beforeAll(async () => {
    database = makeDatabase();
    nats = await makeNats();
    const options = { dsn: database.dsn, nats: nats.url };
    a = await makeInstance(options);
    b = await makeInstance({ config: (ports) => usualConfig(ports, options) });
    for (const instance of [a, b]) programs.push(await serve(instance));
    const grades = [0, 1, 2, 3].map((grade) => ({ grade, label: `Grade ${grade}` }));
    await sendTo(a.url, "jobs", [{ name: "police", label: "Police", grades }]);
    chief = await person(a, { username: "chief", grade: 3 });
    officer = await person(a, { username: "officer", grade: 1 });
    for (const right of ["access.editRoles", "access.viewRoles", "citizens.list --attributes fields=job"])
      expect((await run(["role", "allow", ...right.split(" "), "--job", "police", "--grade", "3"], a)).code).toBe(0);
    const read = async () => (await call(a!.url, role, { token: await userToken(a!.url, chief) })).status;
    await vi.waitFor(async () => expect(await read()).toBe(200), { timeout: 10_000 });
    const created = await call(a.url, "/api/access/jobs/police/roles", {
      token: await userToken(a.url, chief),
      body: { grade: 1 },
    });
    expect(created.status).toBe(200);
  }, 120_000);

  afterAll(async () => {
    for (const program of programs) await program.stop();
    await nats?.remove();
    database?.drop();
    a?.remove();
    b?.remove();
  });

  /** Goes through the first process. */
  async function put(grants: object): Promise<void> {
    const token = await userToken(a!.url, chief);
    const { version } = (await call(a!.url, role, { token })).body;
    const answer = await call(a!.url, role, { method: "PUT", token, body: { version, grants } });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  }

  /** Milliseconds from the answer to the change until `seen`. */
  async function measured(what: string, grants: object, seen: () => Promise<unknown>): Promise<number> {
    const seeing = seen();
    await put(grants);
    const from = performance.now();
    await seeing;
    const ms = Math.round(performance.now() - from);
    process.stdout.write(`${what}: ${ms} ms\n`);
    return ms;
  }

  test("applies there within a second, granted and revoked", async () => {
    const until = (status: number) => async () =>
      await expect
        .poll(async () => (await call(b!.url, "/api/citizens", { token: await userToken(b!.url, officer) })).status, {
          interval: 10,
          timeout: 5000,
        })
        .toBe(status);
    await until(403)();
    expect(await measured("granted, by HTTP at the other process", listing, until(200))).toBeLessThan(soonMs);
    expect(await measured("taken, by HTTP at the other process", {}, until(403))).toBeLessThan(soonMs);
  });

  test("opens and closes an open subscription there", async () => {
    const live = await connectLive(b!.url, await userToken(b!.url, officer));
    live.send({ type: "subscribe", topic: "citizens" });
    await live.seen("refused");
    await measured("told over the socket of the other process", listing, async () => await live.seen("rights"));
    live.send({ type: "renew", token: await userToken(b!.url, officer) });
    await live.seen("renewed");
    live.send({ type: "subscribe", topic: "citizens" });
    await live.seen("subscribed");
    expect(await measured("subscription ended", {}, async () => await live.seen("revoked"))).toBeLessThan(soonMs);
    live.close();
  });

  describe.each(browsers.filter(({ available }) => available))("in an open page in Chromium $name", ({ name, launch }) => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await launch();
      page = await (await openContext(browser)).newPage();
      await signInPage(page, b!.url, officer.username, officer.password);
      await page.goto(`${b!.url}/citizens`);
      await page.waitForSelector(forbidden);
      await page.waitForSelector("text=Live");
    }, 60_000);
    afterAll(async () => await browser?.close());

    test("shows the new navigation entry and opens the forbidden page, and closes it when the right is revoked", async () => {
      await page.evaluate(() => void ((globalThis as { unreloaded?: boolean }).unreloaded = true));
      const gained = async () => await Promise.all([page.waitForSelector(entry), page.waitForSelector(row)]);
      expect(await measured(`granted, Chromium ${name}`, listing, gained)).toBeLessThan(soonMs);
      const lost = async () =>
        await Promise.all([page.waitForSelector(entry, { state: "detached" }), page.waitForSelector(forbidden)]);
      expect(await measured(`taken, Chromium ${name}`, {}, lost)).toBeLessThan(soonMs);
      expect(await page.evaluate(() => (globalThis as { unreloaded?: boolean }).unreloaded)).toBe(true);
    });
  });
});

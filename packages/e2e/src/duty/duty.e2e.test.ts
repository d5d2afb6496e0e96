import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSyncClient } from "@rollcall/sync-sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person, type Person, signIn, userToken } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { changeVariant, openSignedIn } from "@rollcall/testkit/pages.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { until } from "@rollcall/testkit/until.ts";

const row = "[role=row][data-index]";
const rowOf = (name: string) => `${row}:has-text("Per ${name}")`;
const own = "main [data-own-duty]";
const control = "header button[aria-haspopup=true]";

/** Each browser has a job of its own: once a game server reports duty of a job, it is not by hand any more. */
const jobs = { current: "police", "103": "ambulance" } as const;
/** Demo logins that lead them. */
const leaders = { current: "police.chief", "103": "medic.chief" } as const;

/** Members of these jobs see the places of their job. */
async function letSeePlaces({ instance: { url }, login }: City, job: string): Promise<void> {
  const { username, password } = login("admin");
  const admin = await signIn(url, username, password);
  await call(url, "/api/auth/job-admin", { token: admin.token, body: { reason: "Ticket 4711", job } });
  const token = await userToken(url, admin);
  const at = `/api/access/jobs/${job}/roles`;
  const { grades } = (await call(url, at, { token })).body as { grades: { grade: number; role: object | null }[] };
  const { grade } = grades.findLast(({ role }) => role !== null)!;
  const { version, grants } = (await call(url, `${at}/${grade}`, { token })).body as { version: number; grants: object };
  const body = { version, grants: { ...grants, "positions.view": { allow: true, attributes: { jobs: { [job]: 99 } } } } };
  expect((await call(url, `${at}/${grade}`, { method: "PUT", token, body })).status).toBe(200);
}

describe("duty and places", () => {
  let city: City;
  let events = 0;
  /** Each browser has a game server of its own: the first one is connected once its test is over. */
  let source = "";

  const sync = async (kind: string, body: object) => {
    const answer = await call(city.instance.url, `/api/sync/v1/${kind}`, { body: { source, ...body }, token: secrets.sync });
    expect([answer.status, answer.body.rejected]).toEqual([200, []]);
  };
  const identifier = ({ username }: Person) => `char1:licence-of-${username}`;
  /** What the game server reports of somebody's duty. */
  const report = async (who: Person, event: string, job?: string) => {
    events += 1;
    await sync("duty", { items: [{ identifier: identifier(who), event, job, at: Date.now(), key: `e2e-${events}` }] });
  };
  const places = async (...items: readonly (readonly [who: Person, x: number, more?: object])[]) =>
    await sync("positions", { items: items.map(([who, x, more]) => ({ identifier: identifier(who), x, y: 0, ...more })) });

  beforeAll(async () => {
    city = await startCity("embedded");
    await city.halt();
    const postals = [...Array(20).keys()].map((index) => ({ code: `${200 + index}`, x: index * 500, y: 0 }));
    writeFileSync(path.join(city.instance.folder, "postals.json"), JSON.stringify(postals));
    city.instance.configure("postalsFile: postals.json\n");
    await city.start();
    for (const job of Object.values(jobs)) await letSeePlaces(city, job);
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch, name }) => {
    const job = jobs[name];
    let browser: Browser;
    let people: Record<"anna" | "berta" | "carla", Person>;
    let anna: Page;
    let berta: Page;
    const found: (readonly string[])[] = [];

    const open = async (login: Pick<Person, "username" | "password">, to: string) => {
      const page = await openSignedIn(browser, city.instance.url, login, found);
      await page.goto(`${city.instance.url}${to}`);
      await page.waitForSelector("main h1");
      return page;
    };
    const names = async (page: Page) =>
      await page.$$eval(`${row} [role=gridcell]:first-child`, (all) => all.map((one) => one.textContent));

    beforeAll(async () => {
      browser = await launch();
      source = `game-${name}`;
      const make = async (who: string) => await person(city.instance, { username: `${who}${name}`, job });
      people = { anna: await make("anna"), berta: await make("berta"), carla: await make("carla") };
      [anna, berta] = [await open(people.anna, "/"), await open(people.berta, "/duty")];
    }, 90_000);
    afterAll(async () => await browser?.close());

    test("somebody goes on and off duty by hand, with the keyboard alone, and colleagues see it at once", async () => {
      await berta.waitForSelector(`${row} >> text=by hand`);
      expect(await berta.$(rowOf(people.anna.username))).toBeNull();
      await anna.keyboard.press("g");
      await anna.keyboard.press("d");
      await anna.focus(`${own} button:has-text("Go on duty")`);
      await anna.keyboard.press("Enter");
      await anna.waitForSelector(`${own} >> text=You are on duty`);
      await anna.waitForSelector(`${own} button:focus >> text=Go off duty`);
      await anna.waitForSelector(`${control} >> text=On duty since`);
      await berta.waitForSelector(`${rowOf(people.anna.username)} >> text=by hand`);
      await anna.focus(control);
      await anna.keyboard.press("Enter");
      await anna.waitForSelector("header [role=dialog] button:has-text('Go off duty')");
      await anna.waitForSelector("header [role=dialog] :focus");
      await anna.keyboard.press("Escape");
      await anna.waitForSelector(`${control}:focus`);
      await anna.keyboard.press("Control+k");
      await anna.waitForSelector("[role=dialog] input");
      await anna.keyboard.type("off duty");
      await anna.waitForSelector("[role=dialog] [role=option]:has-text('Go off duty')");
      await anna.keyboard.press("Enter");
      await anna.waitForSelector(`${control}:has-text("Off duty")`);
      await berta.waitForSelector(rowOf(people.anna.username), { state: "detached" });
    });

    test("the home page says who of the own job is on duty", async () => {
      await anna.click(`${own} button >> text=Go on duty`);
      await berta.goto(`${city.instance.url}/`);
      await berta.waitForSelector("main section[aria-label='On duty now'] >> text=/\\bPer\\b/");
      await berta.waitForSelector("main section[aria-label='On duty now'] >> text=You are off duty.");
      await berta.click("main section[aria-label='On duty now'] a");
      await berta.waitForSelector(rowOf(people.anna.username));
      await anna.click(`${own} button >> text=Go off duty`);
    });

    test("who leads the job turns duty by hand off and on again, with the keyboard; open pages follow at once, and say why", async () => {
      const leader = await open(city.login(leaders[name]), "/duty");
      const other = await open(city.login(leaders[name]), "/duty");
      await other.click("main button:has-text('Duty by hand')");
      const decide = async (from: string, to: string) => {
        await leader.focus("main button:has-text('Duty by hand')");
        await leader.keyboard.press("Enter");
        await leader.waitForSelector(`[role=dialog] form input[value="${from}"]:focus`);
        await leader.keyboard.press("Enter");
        await leader.click(`[role=option]:has-text("${to}")`);
        await leader.click("[role=dialog] button:has-text('Save')");
        await leader.waitForSelector("[role=dialog]", { state: "detached" });
      };
      const decided = async (mode: string) => await other.waitForSelector(`[role=dialog] form input[value="${mode}"]`);
      await anna.waitForSelector(`${own} button >> text=Go on duty`);
      await decided("Until a game server reports duty");
      await decide("Until a game server reports duty", "Never");
      await anna.waitForSelector(`${own} >> text=/turned off duty by hand/`);
      expect(await anna.$(`${own} button`)).toBeNull();
      await decided("Never");
      await decide("Never", "Until a game server reports duty");
      await anna.waitForSelector(`${own} button >> text=Go on duty`);
      await decided("Until a game server reports duty");
      for (const page of [leader, other]) await page.context().close();
    });

    test("once a game server reports duty, it decides, and the page says so in place of the buttons", async () => {
      await report(people.anna, "on", job);
      await berta.waitForSelector(`${rowOf(people.anna.username)} >> text=by the game`);
      await anna.waitForSelector(`${own} >> text=Go off duty in the game.`);
      expect(await anna.$(`${own} button`)).toBeNull();
      await berta.reload();
      await berta.waitForSelector(`${own} >> text=Go on duty in the game.`);
      expect(await berta.$(`${own} button`)).toBeNull();
    });

    test("who dropped is missing, in words and with the age of the last sign of life, and comes back", async () => {
      await report(people.anna, "dropped");
      await berta.waitForSelector(`${rowOf(people.anna.username)} >> text=/Missing.*last seen \\d+ s ago/`);
      await anna.waitForSelector(`${control} >> text=On duty: missing since`);
      await places([people.anna, 0]);
      await berta.waitForSelector(`${rowOf(people.anna.username)} [data-state=on]`);
      await anna.waitForSelector(`${control} >> text=On duty since`);
    });

    test("who is near a postal is answered by its field, and by the address that it leads to", async () => {
      await report(people.berta, "on", job);
      await report(people.carla, "on", job);
      await places([people.anna, 0], [people.berta, 9000], [people.carla, 1500, { vehicle: "PD 204", speed: 10 }]);
      await anna.keyboard.press("g");
      await anna.keyboard.press("w");
      await anna.waitForSelector(rowOf(people.carla.username));
      await anna.fill("main input[aria-label='Near postal']", "204");
      await anna.keyboard.press("Enter");
      await anna.waitForURL(/\/places\?postal=204$/);
      const order = ["carla", "anna", "berta"].map((who) => `Per ${who}${name}`);
      await until("the nearest first", async () => JSON.stringify(await names(anna)) === JSON.stringify(order));
      const nearest = (await anna.textContent(`${row}[data-index="0"]`)) ?? "";
      expect(nearest).toContain("203");
      expect(nearest).toContain("500 m");
      expect(nearest).toContain("36 km/h");
      await places([people.berta, 2100]);
      await until("another is nearest", async () => (await names(anna))[0] === order[2]);
      await anna.reload();
      await until("the same order", async () => (await names(anna))[0] === order[2]);
    });

    test("a waypoint to somebody or to a postal is set in the game, and the page says what becomes of it", async () => {
      const outcome = "main [data-waypoint]";
      const toCarla = `${rowOf(people.carla.username)} button[aria-label^="Set waypoint"]`;
      // On a narrow screen the first line of a row is a link.
      await anna.setViewportSize({ width: 390, height: 844 });
      await anna.click(toCarla);
      await anna.waitForSelector(`main [role=alert] >> text=${source} is not connected`);
      expect(new URL(anna.url()).pathname).toBe("/places");
      await anna.setViewportSize({ width: 1440, height: 900 });
      expect(await anna.$(`${rowOf(people.anna.username)} button[aria-label^="Set waypoint"]`)).toBeNull();
      const queueDir = mkdtempSync(path.join(tmpdir(), "rollcall-waypoints-"));
      const game = createSyncClient({ url: city.instance.url, token: secrets.sync, source, queueDir });
      const asked = Promise.withResolvers<object>();
      const answer = Promise.withResolvers<void>();
      game.requests.on("ingame.waypoint", async (payload) => {
        asked.resolve(payload);
        await answer.promise;
      });
      await game.requests.start();
      // From its first poll on it counts as connected.
      await call(city.instance.url, `/api/sync/v1/requests?source=${source}`, { token: secrets.sync });
      await anna.click("main [role=alert] button:has-text('Try again')");
      expect(await asked.promise).toMatchObject({ identifier: identifier(people.anna), x: 1500, y: 0 });
      await anna.waitForSelector(`${outcome} >> text=Waypoint to Per carla${name}: the game server is setting it.`);
      answer.resolve();
      await anna.waitForSelector(`${outcome}[data-waypoint=done] >> text=set on your map in the game.`);
      game.requests.on("ingame.waypoint", async () => await Promise.reject(new Error("in a loading screen")));
      await anna.focus("main button[aria-label='Set waypoint in the game: postal 204']");
      await anna.keyboard.press("Enter");
      await anna.waitForSelector(`${outcome}[data-waypoint=refused] >> text=/postal 204: .* in a loading screen/`);
      await anna.waitForSelector(`${outcome} button:has-text("Set again")`);
      const named = Promise.withResolvers<object>();
      game.requests.on("ingame.waypoint", async (payload) => named.resolve(payload));
      const field = "[role=dialog] input[role=combobox]";
      await anna.keyboard.press("Control+k");
      await anna.waitForSelector(field);
      await anna.keyboard.type("set waypoint");
      await anna.click("[role=dialog] [role=option]:has-text('Set waypoint to postal …')");
      await until("its name in the field", async () => (await anna.inputValue(field)) === "Set waypoint to postal ");
      await anna.keyboard.type("207");
      await anna.waitForSelector("[role=dialog] [role=option][aria-selected=true]:has-text('Set waypoint to postal 207')");
      await anna.keyboard.press("Enter");
      expect(await named.promise).toMatchObject({ identifier: identifier(people.anna), x: 3500, y: 0 });
      await anna.waitForSelector("[role=log] >> text=It is set on your map in the game.");
      await game.close();
      rmSync(queueDir, { recursive: true, force: true });
    });

    test("rows stay in their order under the pointer", async () => {
      await anna.hover(`${row}[data-index="2"]`);
      const before = await names(anna);
      await places([people.anna, 2000]);
      await until("the new distance", async () => ((await anna.textContent(rowOf(people.anna.username))) ?? "").includes("0 m"));
      expect(await names(anna)).toEqual(before);
      await anna.hover("main h1");
      await until("the nearest first", async () => (await names(anna))[0] === `Per anna${name}`);
    });

    test("who hides the own place, or is off duty, reads why nobody is shown, in German too", async () => {
      await places([people.anna, 2000, { hidden: true }]);
      await anna.waitForSelector("main h2 >> text=Your own place is hidden");
      await changeVariant(anna, { scheme: "light", language: "de" });
      await anna.waitForSelector("main h2 >> text=Dein eigener Ort ist verborgen");
      await changeVariant(anna, { scheme: "dark", language: "en" });
      await places([people.anna, 2000, { remove: true }]);
      await anna.waitForSelector("main h2 >> text=Your own place is not known");
      await places([people.anna, 2000, { hidden: true }]);
      await anna.waitForSelector("main h2 >> text=Your own place is hidden");
      await places([people.anna, 2000]);
      await anna.waitForSelector(rowOf(people.carla.username));
      await report(people.anna, "off");
      await anna.waitForSelector("main h2 >> text=You are off duty");
      await anna.click("main button >> text=To your duty");
      await anna.waitForSelector(`${own} >> text=You are off duty.`);
    });

    test("there were no errors", () => expect(found.flat()).toEqual([]));
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSyncClient } from "@rollcall/sync-sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { changeVariant, openSignedIn } from "@rollcall/testkit/pages.ts";
import { type Program, runProgram, secrets } from "@rollcall/testkit/program.ts";

const { launch, available } = browsers.find(({ name }) => name === "current")!;
const outcome = "main [data-waypoint]";
/** A waypoint ends by itself after half a minute. */
const untilItEnds = { timeout: 60_000 };

describe.skipIf(!available)("a waypoint", () => {
  let city: City;
  let browser: Browser;
  const found: (readonly string[])[] = [];

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  const open = async (username: string, password: string) => {
    const page = await openSignedIn(browser, city.instance.url, { username, password }, found);
    await page.goto(`${city.instance.url}/places`);
    return page;
  };

  const sync = async (kind: string, body?: object) => {
    const answer = await call(city.instance.url, `/api/sync/v1/${kind}`, { token: secrets.sync, ...(body && { body }) });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  /** Somebody in a game of their own, with a colleague to go to; the game server is connected, and does nothing. */
  async function inGame(name: string) {
    const source = `game-of-${name}`;
    const items: { identifier: string; x: number; y: number }[] = [];
    const people = [];
    for (const username of [name, `${name}friend`]) {
      people.push(await person(city.instance, { username, job: "police" }));
      items.push({ identifier: `char1:licence-of-${username}`, x: 100 * items.length, y: 0 });
    }
    const duty = items.map(({ identifier }) => ({ identifier, event: "on", job: "police", at: Date.now(), key: identifier }));
    await sync("duty", { source, items: duty });
    await sync("positions", { source, items });
    const poll = async () => (await sync(`requests?source=${source}`)).requests as { kind: string }[];
    await poll();
    const page = await open(people[0]!.username, people[0]!.password);
    const ask = async () => await page.click(`button[aria-label="Set waypoint in the game: Per ${name}friend"]`);
    return { page, source, poll, ask };
  }

  /** The game server answers again, and the button beside the sentence is enough. */
  async function setAgain(page: Page, source: string) {
    const queueDir = mkdtempSync(path.join(tmpdir(), "rollcall-waypoints-"));
    const game = createSyncClient({ url: city.instance.url, token: secrets.sync, source, queueDir });
    game.requests.on("ingame.waypoint", () => undefined);
    await game.requests.start();
    await page.click(`${outcome} button:has-text("Set again")`);
    await page.waitForSelector(`${outcome}[data-waypoint=done] >> text=set on your map in the game.`);
    await game.close();
    rmSync(queueDir, { recursive: true, force: true });
  }

  describe.concurrent("whose game server", () => {
    test("is away expires, and the page says that the map is as before and what to do", { timeout: 120_000 }, async () => {
      const { page, source, ask } = await inGame("away");
      await ask();
      await page.waitForSelector(`${outcome}[data-waypoint=open] >> text=sent, waiting for the game server.`);
      await page.waitForSelector(`${outcome}[data-waypoint=expired]`, untilItEnds);
      const said = async () => await page.textContent(`${outcome} [role=status]`);
      expect(await said()).toBe(
        "Waypoint to Per awayfriend: the game server did not fetch it in time, so your map is as before. Set it again; if it stays so, tell an admin.",
      );
      await changeVariant(page, { scheme: "dark", language: "de" });
      expect(await said()).toBe(
        "Wegpunkt zu Per awayfriend: Der Spielserver hat ihn nicht rechtzeitig abgeholt, deine Karte ist also wie zuvor. Setz ihn noch einmal; bleibt es so, sag einem Admin Bescheid.",
      );
      await changeVariant(page, { scheme: "dark", language: "en" });
      await setAgain(page, source);
    });

    test("fetched it and then fell silent is not known, and the page says where to look", { timeout: 120_000 }, async () => {
      const { page, source, poll, ask } = await inGame("silent");
      await ask();
      await page.waitForSelector(`${outcome}[data-waypoint=open]`);
      expect((await poll()).map(({ kind }) => kind)).toEqual(["ingame.waypoint"]);
      await page.waitForSelector(`${outcome}[data-waypoint=delivered] >> text=the game server is setting it.`);
      await page.waitForSelector(`${outcome}[data-waypoint=unknown]`, untilItEnds);
      expect(await page.textContent(`${outcome} [role=status]`)).toBe(
        "Waypoint to Per silentfriend: the game server fetched it but did not say what became of it. Look at your map in the game, or set it again.",
      );
      await setAgain(page, source);
    });
  });

  test("is set by the game server that drives the demo city, for who signs in there", { timeout: 60_000 }, async () => {
    const { username, password } = city.login("police.chief");
    const drive: Program = runProgram(["demo", "drive", "--players", "60"], { cwd: city.instance.folder });
    await drive.seen(/60 people of the demo city drive around/);
    const page = await open(username, password);
    await page.click('button[aria-label^="Set waypoint in the game:"]');
    await page.waitForSelector(`${outcome}[data-waypoint=done] >> text=set on your map in the game.`);
    await drive.seen(/Waypoint of char1:\S+: /);
    expect(await drive.stop()).toBe(0);
  });

  test("caused no errors", () => expect(found.flat()).toEqual([]));
});

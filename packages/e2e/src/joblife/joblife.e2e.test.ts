import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { dayFromNow } from "@rollcall/testkit/days.ts";
import { openSignedIn } from "@rollcall/testkit/pages.ts";
import { choose, press, reach, write } from "./keys.ts";

const dialog = "[role=dialog]";
/** Once notices are there, or it is known that there are none. */
const board = "main section[aria-labelledby=board] :is(p, article)";
const row = "main [role=row][data-index]";
const officerName = "Mateo Hernández";
const officerRow = `${row}:has-text("${officerName}")`;
const field = (label: string) => `${dialog} label:has-text("${label}") ~ div input`;

/** Everything by keys alone, in windows of a chief and of an officer: the mouse is used by none of them. */
describe("the life of a job", () => {
  let city: City;
  beforeAll(async () => {
    city = await startCity("embedded");
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch, name }) => {
    const label = `Night shift ${name}`;
    const found: string[][] = [];
    let browser: Browser;
    let chief: Page;
    let officer: Page;

    const open = async (username: string) => await openSignedIn(browser, city.instance.url, city.login(username), found);
    const go = async (page: Page, path: string, ready: string) => {
      await page.goto(`${city.instance.url}${path}`);
      await page.waitForSelector(ready);
      await press(page, 'button:has-text("Skip to content")');
    };
    /** What the server answers about notices to somebody who opens the home page. */
    const boardOf = async (page: Page) => {
      const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/api/notices");
      await page.goto(city.instance.url);
      return await (await read).text();
    };
    const closed = async (page: Page) => await page.waitForSelector(dialog, { state: "detached" });

    beforeAll(async () => {
      browser = await launch();
      [chief, officer] = await Promise.all([open("police.chief"), open("police.officer")]);
    }, 90_000);
    afterAll(async () => await browser?.close());

    test("an absence is asked for, approved in another window, and shown live in calendar and profile", async () => {
      const waiting = `main [data-waiting] li:has-text("${officerName}")`;
      const bars = `main table tr:has(th:has-text("${officerName}")) td span[data-state=approved]`;
      await go(chief, "/absences", "main [data-calendar]");
      const before = (await chief.$$(bars)).length;
      await go(officer, "/absences", "main [data-calendar]");
      await press(officer, 'main button:has-text("Request an absence")');
      await choose(officer, field("Kind"), "Holiday");
      await officer.waitForSelector(`${dialog} >> text=Somebody of a higher grade has to approve it.`);
      await write(officer, `${dialog} textarea`, "Family visit");
      await press(officer, `${dialog} button[type=submit]`);
      await closed(officer);

      await chief.waitForSelector(`${waiting} >> text=Family visit`);
      await go(officer, "/jobs/colleagues?q=Mateo", officerRow);
      await reach(officer, officerRow);
      await officer.keyboard.press("Enter");
      await officer.waitForSelector(`aside h2 >> text=${officerName}`);
      expect(await officer.$("aside [data-absent]")).toBeNull();
      await press(chief, `${waiting} button[aria-label^=Approve]`);
      await officer.waitForSelector("aside [data-absent] >> text=Absent until");
      await chief.waitForSelector(waiting, { state: "detached" });
      await expect.poll(async () => (await chief.$$(bars)).length).toBe(before + 1);
    });

    test("the correction of an entry of the timeclock is asked for, approved, and counts", async () => {
      const reason = `The radio stayed on, ${name}`;
      const days = `span=free&day=${dayFromNow(-12)}&until=${dayFromNow(0)}`;
      const corrected = `main [data-entries] li:has-text("${reason}")`;
      await go(officer, `/jobs/timeclock?${days}`, "main [data-entries]");
      await press(officer, "main [data-entries] button[aria-haspopup=dialog]");
      const end = `${dialog} [data-path=to] input >> nth=1`;
      await officer.waitForSelector(end);
      const time = await officer.inputValue(end);
      const minute = Number(time.slice(3, 5));
      const wanted = `${time.slice(0, 3)}${String(minute === 0 ? 1 : minute - 1).padStart(2, "0")}`;
      await write(officer, end, `${wanted}${time.slice(5)}`);
      await write(officer, `${dialog} textarea`, reason);
      await press(officer, `${dialog} button:has-text("Send")`);
      await closed(officer);
      await officer.waitForSelector(`${corrected} [data-state=requested]`);

      await go(chief, "/approvals", "main li a");
      await press(chief, `main li a:has-text("${officerName}")`);
      await chief.waitForSelector(`aside >> text=${wanted}`);
      await press(chief, 'aside button:has-text("Approve")');
      await chief.waitForSelector("aside >> text=Approved by");
      await officer.waitForSelector(`${corrected} [data-state=approved] >> text=Decided by`);
      await officer.waitForSelector(`${corrected} span.rc-number:has-text("${wanted}")`);
    });

    test("a pay period is closed with the hours that were shown before", async () => {
      const closable = 'main [data-periods] li:has-text("can be closed") a';
      await go(chief, "/jobs/timeclock/periods", closable);
      const span = (await chief.textContent(closable)) ?? "";
      await press(chief, closable);
      const hours = await chief.textContent("main [data-preview] strong");
      await press(chief, "main [data-preview] button");
      await press(chief, `${dialog} button:has-text("Close the pay period")`);
      await chief.waitForSelector("main [data-sums]");
      await chief.waitForSelector(`main dd >> text="${hours}"`);
      await press(chief, 'main a:has-text("All pay periods")');
      await chief.waitForSelector(`main [data-periods] li:has(a:text-is("${span}")) >> text=Closed`);
    });

    test("an entry about conduct is written, released and acknowledged", async () => {
      const text = `Left the car unlocked, ${name}`;
      const own = `main [data-own]:has-text("${text}")`;
      await go(officer, "/conduct/mine", "main [data-points]");
      await go(chief, "/conduct", "main [data-entries]");
      await press(chief, 'main button:has-text("New entry")');
      await reach(chief, `${dialog} [data-path=citizenId] input`);
      await chief.keyboard.type("Mateo");
      await choose(chief, `${dialog} [data-path=citizenId] input`, officerName);
      await choose(chief, `${dialog} [data-path=kindId] input`, "Written warning");
      await write(chief, `${dialog} textarea`, text);
      await press(chief, `${dialog} button:has-text("Save draft")`);
      await chief.waitForSelector(`aside >> text=${text}`);
      await officer.reload();
      await officer.waitForSelector("main [data-points]");
      expect(await officer.$(own)).toBeNull();

      await press(chief, 'aside button:has-text("Release")');
      await press(chief, `${dialog} button:has-text("Release")`);
      await officer.waitForSelector(own);
      await press(officer, `${own} button[aria-label^=Acknowledge]`);
      await officer.waitForSelector(`${own} dt >> text=Acknowledged`);
      await chief.waitForSelector("aside dt >> text=Acknowledged");
    });

    test("a group of those with a label opens a notice, for twenty colleagues at once, until that is undone", async () => {
      const title = `Briefing of the night ${name}`;
      const notice = `main article:has-text("${title}")`;
      await go(chief, "/jobs/colleagues/labels", "main li");
      await press(chief, 'main button:has-text("New label")');
      await write(chief, field("Name"), label);
      await press(chief, `${dialog} button[type=submit]`);
      await chief.waitForSelector(`main li >> text=${label}`);

      await go(chief, "/groups", "main [data-group]");
      await press(chief, 'main button:has-text("New group")');
      await write(chief, field("Name"), label);
      await write(chief, field("Short name"), "NIGHT");
      await choose(chief, field("Membership"), "People by rules");
      await press(chief, `${dialog} button:has-text("Add a label")`);
      await choose(chief, `${dialog} fieldset input`, label);
      await press(chief, `${dialog} button[type=submit]`);
      await chief.waitForSelector(`aside h2 >> text=${label}`);
      await chief.waitForSelector("aside >> text=Nobody is in this group.");

      await go(chief, "/", board);
      await press(chief, 'main button:has-text("New notice")');
      await write(chief, field("Title"), title);
      await press(chief, `${dialog} button[aria-label="Remove entry 1"]`);
      await press(chief, `${dialog} button:has-text("Add a group")`);
      await choose(chief, `${dialog} li label:text-is("Group") ~ div input`, label);
      await press(chief, `${dialog} button[type=submit]`);
      await chief.waitForSelector(notice);
      expect(await boardOf(officer)).not.toContain(title);

      await go(chief, "/jobs/colleagues?order=name", row);
      await reach(chief, row);
      const active = `${row}:focus`;
      while (!(await chief.textContent(active))?.includes(officerName)) await chief.keyboard.press("ArrowDown");
      for (let more = 1; more < 20; more += 1) await chief.keyboard.press("Shift+ArrowDown");
      await press(chief, 'main [role=group] button:has-text("Labels")');
      await chief.waitForSelector(`${dialog} >> text=Labels of 20 colleagues`);
      await choose(chief, field("Give"), label);
      await write(chief, field("Reason"), "Late in November");
      await press(chief, `${dialog} button[type=submit]`);
      await reach(chief, 'button:has-text("Undo")');
      await chief.waitForSelector(`${officerRow} >> text=${label}`);
      await officer.waitForSelector(notice);
      await chief.keyboard.press("Enter");
      await chief.waitForSelector(`${officerRow} >> text=${label}`, { state: "detached" });
      await officer.waitForSelector(notice, { state: "detached" });
      expect(await boardOf(officer)).not.toContain(title);
    }, 90_000);

    test("the absence is cancelled, and the profile in the other window shows it no longer", async () => {
      await go(chief, "/jobs/colleagues?q=Mateo", `${officerRow} [data-absent]`);
      await reach(chief, officerRow);
      await chief.keyboard.press("Enter");
      await chief.waitForSelector("aside [data-absent]");
      await go(officer, "/absences", "main [data-calendar]");
      await press(officer, 'main button:has-text("Cancel absence")');
      await press(officer, `${dialog} button:has-text("Cancel absence")`);
      await chief.waitForSelector("aside [data-absent]", { state: "detached" });
    });

    test("without a complaint of the browser", () => expect(found.flat()).toEqual([]));
  });
});

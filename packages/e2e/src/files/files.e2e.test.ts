import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { openSignedIn } from "@rollcall/testkit/pages.ts";
import { until } from "@rollcall/testkit/until.ts";
import { samplePicture } from "@rollcall/testkit/uploads.ts";

const toFiles = (url: string) => url.includes("/api/files/");
const drop = "main input[type=file]";
/** Files of the person; there are also logos of jobs. */
const portrait = "aside section img:not([alt=''])";

describe("uploads", () => {
  let city: City;
  let picture: Buffer;
  beforeAll(async () => {
    [city, picture] = [await startCity("embedded"), await samplePicture()];
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch, name }) => {
    let browser: Browser;
    let chief: Page;
    let admin: Page;
    const found: string[][] = [];

    const open = async (username: string) => await openSignedIn(browser, city.instance.url, city.login(username), found);

    /** Chooses a file and waits for the answer to its upload. */
    async function choose(page: Page, file: { name: string; buffer: Buffer }): Promise<number> {
      const [answer] = await Promise.all([
        page.waitForResponse((one) => toFiles(one.url()) && one.request().method() === "POST"),
        page.setInputFiles(drop, { ...file, mimeType: "image/png" }),
      ]);
      return answer.status();
    }

    const widthOf = async (page: Page, selector: string) =>
      await page.evaluate((one) => document.querySelector<HTMLImageElement>(one)?.naturalWidth ?? 0, selector);
    const drawn = async (page: Page, selector: string) =>
      await until(`${selector} is drawn`, async () => (await widthOf(page, selector)) > 0);

    beforeAll(async () => {
      browser = await launch();
      [chief, admin] = [await open("police.chief"), await open("admin")];
    }, 90_000);
    afterAll(async () => await browser?.close());

    test("a logo of the job is accepted and shown beside the job's name", async () => {
      await chief.goto(`${city.instance.url}/panel/jobs`);
      await chief.waitForSelector("main section >> text=up to 25 MB");
      expect(await choose(chief, { name: `logo-${name}.png`, buffer: picture })).toBe(200);
      await drawn(chief, "main section img");
      await chief.goto(city.instance.url);
      await drawn(chief, "header img");
    });

    test("one's own picture is accepted, shown in list and profile, removed and restored", async () => {
      const { username, password } = city.login("police.chief");
      const own = (await signIn(city.instance.url, username, password)).characterId;
      await chief.goto(`${city.instance.url}/citizens/${own}`);
      await chief.waitForSelector("aside >> text=up to 25 MB");
      expect(await choose(chief, { name: `me-${name}.png`, buffer: picture })).toBe(200);
      await drawn(chief, portrait);
      await chief.click("aside button >> text=Remove");
      await chief.waitForSelector(portrait, { state: "detached" });
      await chief.click("text=Undo");
      await drawn(chief, portrait);
    });

    test("a logo and a picture that change show in the open pages of others, without a reload", async () => {
      const { username, password } = city.login("police.chief");
      const own = (await signIn(city.instance.url, username, password)).characterId;
      const other = await open("police.chief");
      await other.goto(`${city.instance.url}/citizens/${own}?job=police`);
      const row = "[role=row][data-index]";
      const [sign, face] = [
        "header button[aria-haspopup=dialog] img[width='17']",
        "header button[aria-haspopup=dialog] img[width='24']",
      ];
      await other.waitForSelector(`aside section h3`);
      for (const shown of [`${row} img[width='17']`, sign, face, portrait]) await drawn(other, shown);
      await other.evaluate(() => void ((globalThis as { untouched?: boolean }).untouched = true));

      await chief.click("aside button >> text=Remove");
      for (const gone of [face, portrait]) await other.waitForSelector(gone, { state: "detached" });
      await chief.click("text=Undo");
      for (const shown of [face, portrait]) await drawn(other, shown);

      await chief.goto(`${city.instance.url}/panel/jobs`);
      await chief.click("main section button >> text=Remove");
      for (const gone of [`${row} img[width='17']`, sign]) await other.waitForSelector(gone, { state: "detached" });
      await chief.click("text=Undo");
      for (const shown of [`${row} img[width='17']`, sign]) await drawn(other, shown);
      expect(await other.evaluate(() => (globalThis as { untouched?: boolean }).untouched)).toBe(true);
      await other.context().close();
      await chief.goto(`${city.instance.url}/citizens/${own}`);
      await chief.waitForSelector("aside >> text=up to 25 MB");
    });

    test("a file that is no picture is refused with a message", async () => {
      expect(await choose(chief, { name: "words.png", buffer: Buffer.from("no picture at all") })).toBe(415);
      await chief.waitForSelector("aside >> text=Files of this type cannot be used here");
      // Made in the page: 26 MB through the debugging protocol may take longer than the whole test.
      await chief.evaluate((selector) => {
        const chosen = new DataTransfer();
        chosen.items.add(new File([new Uint8Array(26 * 1024 * 1024)], "large.png", { type: "image/png" }));
        const input = document.querySelector<HTMLInputElement>(selector)!;
        input.files = chosen.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }, drop);
      await chief.waitForSelector("aside >> text=You can upload at most 25 MB here");
    });

    test("config admins find it, see who uses it, and delete it", async () => {
      await admin.goto(`${city.instance.url}/panel/files`);
      await admin.fill("main input[maxlength='64']", `me-${name}`);
      const entry = `main li:has-text("me-${name}.png")`;
      await admin.waitForSelector(`${entry} >> text=/Avatar of/`);
      await drawn(admin, "main [aria-label=Files] img");
      await admin.click(`${entry} >> button`);
      const question = `[role=dialog]:has(h2:text-is("Delete me-${name}.png?"))`;
      await admin.waitForSelector(`${question} li >> text=/Avatar of/`);
      await admin.waitForSelector(`${question} button:has-text("Cancel"):focus`);
      await admin.fill(`${question} input`, "Not a person");
      const [answer] = await Promise.all([
        admin.waitForResponse((one) => toFiles(one.url()) && one.request().method() === "PUT"),
        admin.click(`${question} button[type=submit]`),
      ]);
      expect(answer.status()).toBe(204);
      await admin.waitForSelector(entry, { state: "detached" });
      await chief.reload();
      await chief.waitForSelector("aside >> text=up to 25 MB");
      expect(await chief.$(portrait)).toBeNull();
    });

    test("there were no errors", () => {
      const unexpected = found.flat().filter((line) => !/415/.test(line));
      expect(unexpected).toEqual([]);
    });
  });
});

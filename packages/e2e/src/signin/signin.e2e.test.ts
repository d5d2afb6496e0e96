import { createHmac } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, sendTo } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { secrets } from "@rollcall/testkit/program.ts";

const lost = "[role=dialog][aria-labelledby=lost-title]";

function bytesOf(base32: string): Buffer {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(base32, (letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The six digits of RFC 6238, computed independently of the program; `steps` is in half minutes from now. */
function codeOf(seed: string, steps: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", bytesOf(seed)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

let city: City;
beforeAll(async () => {
  city = await startCity("embedded", { ROLLCALL_SECRET: "the-root-secret-of-the-sign-in-test" });
}, 120_000);
afterAll(async () => await city?.stop());

describe.each(browsers.filter(({ available }) => available))("signing in with Chromium $name", ({ launch, name }) => {
  const licence = `signin-${name}`;
  const username = `newcomer${name}`;
  let password = "the first password";
  let seed = "";
  let codes: readonly string[] = [];
  let browser: Browser;
  let page: Page;
  const url = (path: string) => `${city.instance.url}${path}`;

  async function fresh(): Promise<Page> {
    const opened = await (await openContext(browser)).newPage();
    opened.setDefaultTimeout(20_000);
    return opened;
  }
  async function password1(target: Page): Promise<void> {
    await target.goto(url("/"));
    await target.fill("input[name=username]", username);
    await target.fill("input[name=password]", password);
    await target.press("input[name=password]", "Enter");
  }
  async function second(target: Page, code: string): Promise<void> {
    await target.waitForURL(url("/login/factor"));
    await target.fill("input[name=code]", code);
    await target.press("input[name=code]", "Enter");
  }

  beforeAll(async () => {
    browser = await launch();
    page = await fresh();
    const user = { identifier: `char1:${licence}`, firstName: "New", lastName: "Comer", jobs: [{ name: "police", grade: 1 }] };
    await sendTo(city.instance.url, "users", [user]);
  }, 60_000);
  afterAll(async () => await browser?.close());

  test("opens the page of a reset address whose token is not one", async () => {
    const opened = await fresh();
    await opened.goto(url("/reset#100%"));
    await opened.waitForSelector("input[name=token]");
    expect(await opened.inputValue("input[name=token]")).toBe("100%");
    await opened.close();
  });

  test("registers with a token of the Sync API", async () => {
    const issued = await call(city.instance.url, "/api/sync/v1/accounts/tokens", {
      body: { licence, kind: "register" },
      token: secrets.sync,
    });
    expect(issued.status).toBe(200);
    const { pathname, hash } = new URL(issued.body.url);
    await page.goto(url(pathname + hash));
    await page.fill("input[name=username]", username);
    await page.fill("input[name=password]", password);
    await page.press("input[name=password]", "Enter");
    await page.waitForSelector(frame);
    expect(page.url()).toBe(url("/"));
  });

  test("sets up a second factor and signs in with it", async () => {
    await page.goto(url("/account/factor"));
    await page.fill("input[name=current]", password);
    await page.press("input[name=current]", "Enter");
    await page.waitForSelector("main img[alt*='QR']");
    seed = ((await page.textContent("main form p button")) ?? "").match(/[A-Z2-7]{32}/)?.[0] ?? "";
    expect(seed).not.toBe("");
    await page.fill("input[name=code]", codeOf(seed, 0));
    await page.press("input[name=code]", "Enter");
    await page.waitForSelector("main section li >> nth=9");
    codes = await page.$$eval("main section li", (items) => items.map((item) => item.textContent));
    expect(codes).toHaveLength(10);
    const other = await fresh();
    await password1(other);
    await second(other, "000000");
    await other.waitForSelector("[role=alert]");
    await second(other, codeOf(seed, 1));
    await other.waitForSelector(frame);
    await other.context().close();
  });

  test("signs in with a recovery code, and the first browser ends that session while its page is open", async () => {
    const other = await fresh();
    await password1(other);
    await other.waitForURL(url("/login/factor"));
    await other.click("text=Use a recovery code");
    await second(other, codes[0] ?? "");
    await other.waitForSelector(frame);
    await page.goto(url("/account/sessions"));
    await page.waitForSelector("main li button >> nth=0");
    await page.click("text=End all others");
    await page.click("[role=dialog] button >> text=End all others");
    await other.waitForSelector(lost);
    await page.waitForSelector("main li button", { state: "detached" });
    await other.context().close();
  });

  test("a changed password ends the other session and keeps this one", async () => {
    const other = await fresh();
    await password1(other);
    await other.waitForURL(url("/login/factor"));
    await other.click("text=Use a recovery code");
    await second(other, codes[1] ?? "");
    await other.waitForSelector(frame);
    await page.goto(url("/account/password"));
    await page.fill("input[name=current]", password);
    await page.fill("input[name=new]", "the second password");
    await page.press("input[name=new]", "Enter");
    await page.waitForSelector("text=All your other sessions have ended.");
    password = "the second password";
    await other.waitForSelector(lost);
    await page.reload();
    await page.waitForSelector(frame);
    await other.context().close();
  });

  /** The account in the control panel, opened by a config admin. */
  async function opened(): Promise<Page> {
    const admin = await fresh();
    const { username: chief, password: secret } = city.login("admin");
    await signInPage(admin, city.instance.url, chief, secret);
    await admin.goto(url(`/panel/accounts?q=${username}`));
    await admin.click("[role=row][data-index]");
    await admin.waitForSelector("aside section li strong");
    return admin;
  }

  const dialog = "[role=dialog]";
  /** Clicks, and waits for the question, in which the safe answer has the focus. */
  async function asks(admin: Page, button: string, question: string): Promise<void> {
    await admin.click(button);
    await admin.waitForSelector(`${dialog} h2 >> text="${question}"`);
    await admin.waitForSelector(`${dialog} button:has-text("Cancel"):focus`);
  }
  async function cancels(admin: Page): Promise<void> {
    await admin.keyboard.press("Enter");
    await admin.waitForSelector(dialog, { state: "detached" });
  }

  test("an admin is asked before a token or the second factor of somebody is lost", async () => {
    const admin = await opened();
    const revoke = "aside button[aria-label='Revoke the reset token']";
    await admin.click("aside >> text=Issue a reset token");
    await asks(admin, revoke, `Revoke the reset token of ${username}?`);
    await cancels(admin);
    await asks(admin, revoke, `Revoke the reset token of ${username}?`);
    await admin.click(`${dialog} button >> text=Revoke`);
    await admin.waitForSelector(revoke, { state: "detached" });

    const factor = "aside button:has-text('Reset second factor')";
    await asks(admin, factor, `Reset the second factor of ${username}?`);
    await cancels(admin);
    expect(await admin.isVisible(factor)).toBe(true);
    await asks(admin, factor, `Reset the second factor of ${username}?`);
    await admin.click(`${dialog} button >> text=Reset second factor`);
    await admin.waitForSelector(factor, { state: "detached" });
    await admin.context().close();
  });

  test("an admin is asked before one session or all sessions of somebody end", async () => {
    const other = await fresh();
    await signInPage(other, city.instance.url, username, password);
    const admin = await opened();
    await asks(admin, "aside li button:has-text('End') >> nth=0", `End a session of ${username}?`);
    await cancels(admin);
    await asks(admin, "aside button:has-text('End all')", `End all sessions of ${username}?`);
    await cancels(admin);
    expect(await other.$(lost)).toBeNull();
    await asks(admin, "aside button:has-text('End all')", `End all sessions of ${username}?`);
    await admin.click(`${dialog} button >> text=End all`);
    await Promise.all([other.waitForSelector(lost), page.waitForSelector(lost)]);
    await Promise.all([other.context().close(), admin.context().close()]);
    await signInPage(page, city.instance.url, username, password);
  });

  test("deleting an account is red, apart from its other changes, and asks for a reason", async () => {
    const admin = await opened();
    const places = await admin.$$eval("aside section button", (buttons) =>
      ["Disable", "Delete"].map((text) => {
        const button = buttons.find(({ textContent }) => textContent === text)!;
        const [red = 0, green = 0, blue = 0] = getComputedStyle(button)
          .backgroundColor.match(/[\d.]+/g)!
          .map(Number);
        return { section: button.closest("section")!.innerText.split("\n")[0], red: red > green + 80 && red > blue + 80 };
      }),
    );
    expect(places).toEqual([
      { section: "Changes", red: false },
      { section: "Delete account", red: true },
    ]);
    await asks(admin, "aside button:has-text('Delete')", `Delete the account ${username}?`);
    await admin.click(`${dialog} button >> text=Delete`);
    await admin.waitForSelector(`${dialog} input[aria-invalid=true]`);
    await admin.click(`${dialog} button >> text=Cancel`);
    await admin.waitForSelector("aside button:has-text('Delete'):focus");
    expect(await page.$(lost)).toBeNull();
    await admin.context().close();
  });

  test("a disabled account is signed out at once", async () => {
    const admin = await opened();
    await asks(admin, "aside button:has-text('Disable')", `Disable the account ${username}?`);
    await admin.fill(`${dialog} input`, "a test");
    await admin.press(`${dialog} input`, "Enter");
    await page.waitForSelector(lost);
    await admin.waitForSelector("aside >> text=Disabled: a test");
    await admin.context().close();
  });
});

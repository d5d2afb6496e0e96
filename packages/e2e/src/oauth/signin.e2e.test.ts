import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { chatClient, type ChatPlatform, startChat } from "@rollcall/testkit/chat.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { accessibility, complaints, overflow } from "@rollcall/testkit/inspect.ts";
import { changeVariant, drawn, frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { type OidcProvider, signInAtOidc, startOidc } from "@rollcall/testkit/oidc.ts";
import { until } from "@rollcall/testkit/until.ts";

const note = "main [role=alert]";
const button = (label: string) => `main a:has-text("Sign in with ${label}")`;
const clients = {
  cityid: { id: "rollcall", secret: "client-secret-of-the-city-id-provider" },
  forum: { id: "rollcall", secret: "client-secret-of-the-forum-provider" },
};
const uuid = (n: number) => `3f0c9f0e-52a5-4f1b-a0f5-7d7b8d3a6a1${n}`;

describe("signing in with providers", () => {
  let city: City;
  let cityId: OidcProvider;
  let forum: OidcProvider;
  let chat: ChatPlatform;

  beforeAll(async () => {
    chat = await startChat();
    city = await startCity("embedded", { ROLLCALL_CHAT_API_URL: chat.apiUrl });
    const redirect = (name: string) => `${city.instance.url}/api/oauth2/callback/${name}`;
    [cityId, forum] = await Promise.all([
      startOidc({
        host: "127.0.0.2",
        client: { ...clients.cityid, redirect: redirect("cityid") },
        claims: (login) => ({ profile: { account: { names: { shown: `Citizen ${login.slice(-2)}` }, picture: null } } }),
      }),
      startOidc({
        host: "127.0.0.3",
        client: { ...clients.forum, redirect: redirect("forum"), auth: "post" },
        claims: (login) => ({ profile: { user_id: Number(login), user_name: `member ${login}` } }),
      }),
    ]);
    const providers = [
      {
        name: "cityid",
        label: "City ID",
        homepage: cityId.url,
        icon: `${chat.url}/pictures/icon.png`,
        type: "generic",
        redirectURL: redirect("cityid"),
        clientID: clients.cityid.id,
        clientSecret: clients.cityid.secret,
        scopes: ["openid", "profile"],
        // Token and user info endpoints come from discovery.
        endpoints: { authURL: `${cityId.url}/auth` },
        mapping: { id: "sub", username: "account.names.shown", avatar: "account.picture" },
        defaultAvatar: `${chat.url}/pictures/nobody.png`,
      },
      {
        name: "forum",
        label: "Forum",
        icon: "mdi:forum",
        type: "generic",
        redirectURL: redirect("forum"),
        clientID: clients.forum.id,
        clientSecret: clients.forum.secret,
        scopes: ["openid", "profile"],
        endpoints: { authURL: `${forum.url}/auth`, tokenURL: `${forum.url}/token`, userInfoURL: `${forum.url}/me` },
        mapping: { id: "user_id", username: "user_name", avatar: "nothing.here" },
      },
      {
        name: "chat",
        label: "Chat",
        type: "chat",
        redirectURL: redirect("chat"),
        clientID: chatClient.id,
        clientSecret: chatClient.secret,
      },
    ];
    city.instance.configure(`secret: a-secret-for-stored-tokens-of-the-tests\noauth2: ${JSON.stringify({ providers })}\n`);
    await city.halt();
    await city.start();
  }, 120_000);
  afterAll(async () => {
    await city?.stop();
    for (const one of [cityId, forum, chat]) one?.stop();
  });

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch }) => {
    const [n, login] = [5, "police.chief"];
    let browser: Browser;
    let page: Page;
    let found: string[];

    const url = (path: string) => `${city.instance.url}${path}`;
    const arriveSignedIn = async () => await page.waitForSelector(`${frame}, main ul li button`);
    const connections = async () =>
      await page.evaluate(async () => {
        const answer = await fetch("/api/oauth2/connections");
        return ((await answer.json()) as { connections: Record<string, unknown>[] }).connections;
      });
    const pictureWidth = async (path: unknown) =>
      await page.evaluate(async (src) => {
        const answer = await fetch(src);
        return (await createImageBitmap(await answer.blob())).width;
      }, String(path));
    async function signOut(): Promise<void> {
      await page.evaluate(async () => await fetch("/api/auth/logout", { method: "POST", headers: { "x-rollcall": "1" } }));
      await page.goto(url("/"));
    }
    async function connect(provider: string, agree: () => Promise<void>): Promise<void> {
      const { password } = city.login(login);
      const location = await page.evaluate(
        async ([name, word]) => {
          const answer = await fetch(`/api/oauth2/connections/${name}`, {
            method: "POST",
            headers: { "x-rollcall": "1", "content-type": "application/json" },
            body: JSON.stringify({ password: word, return: "/citizens" }),
          });
          return ((await answer.json()) as { location: string }).location;
        },
        [provider, password],
      );
      // An evaluation that navigates can lose its answer, and has no timeout of its own.
      await page.goto(location);
      await agree();
      await page.waitForURL(url("/citizens"));
    }
    async function inspectVariants(): Promise<void> {
      for (const [width, language] of [
        [1440, "de"],
        [390, "en"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await changeVariant(page, { scheme: language === "en" ? "light" : "dark", language });
        await drawn(page);
        expect([width, await overflow(page)]).toEqual([width, []]);
        expect([width, await accessibility(page)]).toEqual([width, []]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }

    beforeAll(async () => {
      browser = await launch();
      page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      found = complaints(page);
      chat.person = { ...chat.person, id: `8035111022467891${n}` };
    }, 60_000);
    afterAll(async () => await browser?.close());

    test("the sign-in page offers each provider with its icon", async () => {
      await page.goto(url("/"));
      await page.waitForSelector(button("Chat"));
      const widths = async () =>
        await page.$$eval("main a img", (all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
      await until("the pictures", async () => (await widths()).every((width) => width === 2));
      expect(await page.getAttribute("main a img", "src")).toBe("/api/oauth2/providers/cityid/icon");
      for (const label of ["Forum", "Chat"]) expect(await page.$(`${button(label)} svg`)).not.toBeNull();
    });

    test("a person who is not connected sees how to register and connect", async () => {
      await page.goto(url("/vehicles?q=ab"));
      await page.click(button("City ID"));
      await signInAtOidc(page, uuid(n));
      await page.waitForSelector(`${note} >> text=No account here is connected`);
      expect(await page.textContent(note)).toMatch(/City ID.*connect City ID on your account page.*register with a token/);
      expect(page.url()).toBe(url("/vehicles?q=ab"));
      await page.reload();
      await page.waitForSelector(button("City ID"));
      expect(await page.$(note)).toBeNull();
    });

    test("a refusal at the provider is shown as a message", async () => {
      await page.click(button("Forum"));
      await page.click("text=Cancel");
      await page.waitForSelector(`${note} >> text=You did not allow the sign-in at Forum`);
      await page.click(button("Chat"));
      await page.click("#no");
      await page.waitForSelector(`${note} >> text=You did not allow the sign-in at Chat`);
    });

    test("an account connects all three, with their names and pictures", async () => {
      const { username, password } = city.login(login);
      await signInPage(page, city.instance.url, username, password);
      await connect("cityid", async () => undefined);
      await connect("forum", async () => await signInAtOidc(page, `471${n}`));
      await connect("chat", async () => await page.click("#yes"));
      const list = await connections();
      expect(list).toMatchObject([
        { provider: "chat", username: "Mara", tokens: "stored" },
        { provider: "cityid", username: `Citizen 1${n}`, tokens: "stored" },
        { provider: "forum", username: `member 471${n}`, avatar: null, tokens: "stored" },
      ]);
      expect([await pictureWidth(list[0]?.["avatar"]), await pictureWidth(list[1]?.["avatar"])]).toEqual([2, 2]);
      expect(cityId.asked.some((path) => path === "/jwks")).toBe(true);
    });

    test.each([
      ["City ID", async () => undefined],
      ["Forum", async () => undefined],
      ["Chat", async () => await page.click("#yes")],
    ])("%s signs in", async (label, agree) => {
      await signOut();
      await page.click(button(label));
      await agree();
      await arriveSignedIn();
      expect(await connections()).toHaveLength(3);
    });

    const rows = "ul[aria-label=Connections] li";
    const rowOf = (label: string) => `${rows}:has-text("${label}")`;

    test("the account page disconnects and connects with clicks", async () => {
      if ((await page.$(frame)) === null) await page.click("main ul li button");
      await page.waitForSelector(frame);
      await page.goto(url("/account/connections"));
      await page.waitForSelector(`${rows} >> nth=2`);
      await inspectVariants();
      await page.click(`${rowOf("City ID")} >> text=Disconnect`);
      await page.click("[role=dialog] button >> text=Disconnect now");
      await page.waitForSelector(`${rowOf("City ID")} >> text=not connected`);
      expect(await connections()).toHaveLength(2);
      await page.click(`${rowOf("City ID")} button:has-text("Connect")`);
      const current = `${rowOf("City ID")} input[name=current]`;
      await page.fill(current, "not the password");
      await page.click(`${rowOf("City ID")} >> text=Continue to the provider`);
      await page.waitForSelector(`${rowOf("City ID")} >> text=The current password is wrong`);
      await inspectVariants();
      await page.fill(current, city.login(login).password);
      await page.click(`${rowOf("City ID")} >> text=Continue to the provider`);
      await page.waitForSelector("main [role=status] >> text=City ID is connected");
      expect(page.url()).toBe(url("/account/connections"));
      await page.waitForSelector(`${rowOf("City ID")} >> text=connected as Citizen 1${n}`);
      expect(await connections()).toHaveLength(3);
    });

    test("an outcome is shown once on a page without a note for it", async () => {
      await page.goto(url("/?oauth=taken&provider=forum"));
      await page.waitForSelector("[role=log] >> text=connected to another account here");
      expect(page.url()).toBe(url("/"));
      await page.reload();
      await page.waitForSelector(frame);
      expect(await page.$("[role=log] >> text=connected to another account here")).toBeNull();
    });

    test("an admin disconnects another account", async () => {
      const admin = await (await openContext(browser)).newPage();
      admin.setDefaultTimeout(20_000);
      const chief = city.login("admin");
      await signInPage(admin, city.instance.url, chief.username, chief.password);
      await admin.goto(url(`/panel/accounts?q=${login}`));
      await admin.click("[role=row][data-index]");
      await admin.waitForSelector(`aside ${rows} >> nth=2`);
      expect(await admin.textContent(`aside ${rowOf("Forum")}`)).toContain(`member 471${n}`);
      await admin.click(`aside ${rowOf("Forum")} >> text=Disconnect`);
      await admin.click("[role=dialog] button >> text=Disconnect now");
      await admin.waitForSelector(`aside ${rowOf("Forum")}`, { state: "detached" });
      await admin.context().close();
      expect((await connections()).map(({ provider }) => provider)).toEqual(["chat", "cityid"]);
    });

    test("a removed connection no longer signs in", async () => {
      const status = await page.evaluate(async () => {
        const init = { method: "DELETE", headers: { "x-rollcall": "1" } };
        return (await fetch("/api/oauth2/connections/chat", init)).status;
      });
      expect(status).toBe(204);
      await signOut();
      await page.click(button("Chat"));
      await page.click("#yes");
      await page.waitForSelector(`${note} >> text=No account here is connected`);
    });

    test("there were no errors", () => expect(found).toEqual([]));
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountWeb } from "./web.ts";

const preloads = {
  none: { links: "", texts: "" },
  "": { links: "<frame>", texts: "frame " },
  "/citizens": { links: "<list>", texts: "list " },
};

describe("the web application's files", () => {
  let root: string;
  let app: FastifyInstance;
  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), "rollcall-web-"));
    mkdirSync(path.join(root, "assets"));
    writeFileSync(
      path.join(root, "index.html"),
      "<!doctype html><style nonce=__CSP_NONCE__></style>__TEXTS____PRELOADS__page__SESSION__",
    );
    writeFileSync(path.join(root, "index.html.preloads.json"), JSON.stringify(preloads));
    writeFileSync(path.join(root, "assets", "app-1.js"), "plain");
    writeFileSync(path.join(root, "assets", "app-1.js.br"), "packed");
    writeFileSync(path.join(root, "assets", "ä 1.js"), "named");
    writeFileSync(path.join(root, "icon.svg"), "<svg/>");
    writeFileSync(path.join(root, ".built-from"), "hidden");
    writeFileSync(path.join(root, "..", `${path.basename(root)}.txt`), "outside");
    app = Fastify();
    await mountWeb(app, {
      root,
      publicUrl: "https://rollcall.example.org",
      origins: ["https://city.example"],
      gameResource: "our_tablet",
      nonce: () => "n0nce",
    });
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
    rmSync(`${root}.txt`);
    rmSync(root, { recursive: true });
  });
  const get = async (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    await app.inject({ method, url, headers });
  const html = { accept: "text/html" };

  it("serves hashed files as immutable and others for minutes, compressed where possible", async () => {
    const plain = await get("/assets/app-1.js?v=2");
    expect([plain.statusCode, plain.payload]).toEqual([200, "plain"]);
    expect(plain.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": expect.stringContaining("javascript") as string,
    });
    const packed = await get("/assets/app-1.js", { "accept-encoding": "gzip, br" });
    expect([packed.payload, packed.headers["content-encoding"]]).toEqual(["packed", "br"]);
    expect((await get("/icon.svg")).headers["cache-control"]).toBe("public, max-age=300");
    expect((await get("/assets/%C3%A4%201.js")).payload).toBe("named");
    const head = await get("/assets/app-1.js", {}, "HEAD");
    expect([head.statusCode, head.payload, head.headers["content-length"]]).toEqual([200, "", "5"]);
    const again = await get("/assets/app-1.js", { "if-none-match": String(plain.headers["etag"]) });
    expect(again.statusCode).toBe(304);
  });

  it("says in the page that the browser has no session", async () => {
    const pageWith = async (cookie: string) => (await get("/", { ...html, cookie })).payload;
    expect(await pageWith("rollcall_device=x")).toMatch(/pagenone$/);
    expect(await pageWith("a=b; rollcall_session=secret")).toMatch(/page$/);
  });

  it("names what the page at an address loads, once somebody is signed in", async () => {
    const cookie = "rollcall_session=secret";
    const pageAt = async (url: string, headers: Record<string, string>) => (await get(url, { ...html, ...headers })).payload;
    expect(await pageAt("/citizens?q=a", { cookie })).toContain("list <list>page");
    expect(await pageAt("/citizens/12", { cookie })).toContain("list <list>page");
    expect(await pageAt("/citizensx", { cookie })).toContain("frame <frame>page");
    expect(await pageAt("/citizens", {})).not.toContain("<list>");
    expect((await get("/index.html.preloads.json")).statusCode).toBe(404);
  });

  it("leads to the setup while nobody can sign in, and answers when that is not known", async () => {
    for (const [needsSetup, answers] of [
      [async () => true, [302, 302, 200, 200]],
      [async () => false, [200, 200, 200, 200]],
      [async () => await Promise.reject(new Error("no database")), [200, 200, 200, 200]],
    ] as const) {
      const fresh = Fastify();
      await mountWeb(fresh, { root, publicUrl: "http://a", origins: [], gameResource: "r", nonce: () => "n", needsSetup });
      const urls = ["/?from=here", "/login", "/setup", "/register"];
      const got = await Promise.all(urls.map(async (url) => await fresh.inject({ url, headers: html })));
      expect(got.map(({ statusCode }) => statusCode)).toEqual(answers);
      for (const { headers, statusCode } of got)
        if (statusCode === 302) expect([headers.location, headers["cache-control"]]).toEqual(["/setup", "no-store"]);
      await fresh.close();
    }
  });

  it("serves the page with a fresh nonce to browsers that navigate", async () => {
    for (const url of ["/", "/citizens/12", "/index.html", "/.built-from"]) {
      const { statusCode, payload, headers } = await get(url, html);
      expect([statusCode, payload], url).toEqual([200, "<!doctype html><style nonce=n0nce></style>pagenone"]);
      expect(headers["cache-control"]).toBe("private, no-cache");
    }
  });

  it("may be framed by itself, the listed origins, and the tablet of one resource in the game, and by no other resource", async () => {
    const policy = String((await get("/", html)).headers["content-security-policy"]);
    expect(policy.split("; ")).toContain("frame-ancestors 'self' https://city.example nui://game https://cfx-nui-our_tablet");
  });

  it("asks every robot to stay away, also one that prefers pages", async () => {
    for (const headers of [{}, html]) {
      const { statusCode, payload, headers: sent } = await get("/robots.txt", headers);
      expect([statusCode, payload]).toEqual([200, "User-agent: *\nDisallow: /\n"]);
      expect(sent["content-type"]).toBe("text/plain; charset=utf-8");
    }
    expect((await get("/citizens/12", html)).headers["x-robots-tag"]).toBe("noindex, nofollow");
  });

  it("serves nothing else", async () => {
    const gone = ["/assets/app-2.js", "/api/nothing", "/citizens/12", "/index.html", "/.built-from", "/assets", "/assets/", "/%"];
    const outside = `${path.basename(root)}.txt`;
    for (const url of [...gone, `/../${outside}`, `/..%2f${outside}`, `/assets/..%2f..%2f${outside}`, "/assets//app-1.js"]) {
      expect((await get(url)).statusCode, url).toBeGreaterThanOrEqual(400);
      expect((await get(url)).payload, url).not.toMatch(/outside|hidden|plain|page/);
    }
  });
});

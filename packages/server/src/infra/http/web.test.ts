import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountWeb } from "./web.ts";

describe("the web application's files", () => {
  let root: string;
  let app: FastifyInstance;
  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), "rollcall-web-"));
    mkdirSync(path.join(root, "assets"));
    writeFileSync(path.join(root, "index.html"), "<!doctype html><style nonce=__CSP_NONCE__></style>page");
    writeFileSync(path.join(root, "assets", "app-1.js"), "plain");
    writeFileSync(path.join(root, "assets", "app-1.js.br"), "packed");
    writeFileSync(path.join(root, "assets", "ä 1.js"), "named");
    writeFileSync(path.join(root, "icon.svg"), "<svg/>");
    writeFileSync(path.join(root, ".built-from"), "hidden");
    writeFileSync(path.join(root, "..", `${path.basename(root)}.txt`), "outside");
    app = Fastify();
    await mountWeb(app, { root, publicUrl: "https://rollcall.example.org", origins: [], nonce: () => "n0nce" });
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

  it("serves the page with a fresh nonce to browsers that navigate", async () => {
    for (const url of ["/", "/citizens/12", "/index.html", "/.built-from"]) {
      const { statusCode, payload, headers } = await get(url, html);
      expect([statusCode, payload], url).toEqual([200, "<!doctype html><style nonce=n0nce></style>page"]);
      expect(headers["cache-control"]).toBe("no-cache");
    }
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

import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import sharp from "sharp";
import { readCached } from "./imageproxy.disk.service.ts";
import { staleMs } from "./imageproxy.find.service.ts";
import {
  ask,
  clearStages,
  closePictures,
  respondWith,
  type Origin,
  pictureOf,
  stage,
  startOrigin,
} from "./imageproxy.testkit.ts";

const minute = 60_000;
let origin: Origin;
let picture: Buffer;
beforeEach(async () => {
  picture = await pictureOf(800, 400, "jpeg");
  origin = await startOrigin(respondWith(picture));
});
afterEach(async () => {
  await origin.stop();
  clearStages();
});

afterAll(closePictures);

const site = (route = "/a.jpg") => `http://images.city.example:${origin.port}${route}`;
const versioned = (etag: string, headers: Record<string, string> = {}) => {
  origin.answer = (request, response) => {
    if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag, ...headers }).end();
    else response.writeHead(200, { etag, ...headers }).end(picture);
  };
};

test("a picture is encoded again within the requested size, and never enlarged", async () => {
  const { service } = stage();
  const sizes = [];
  for (const size of [64, 256, 1024] as const) {
    const given = await service.picture({ url: site(), size, namedBy: "people", drawings: false, requester: "the tests" });
    const { format, width, height } = await sharp(given?.bytes).metadata();
    sizes.push([format, width, height]);
  }
  expect(sizes).toEqual([
    ["webp", 64, 32],
    ["webp", 256, 128],
    ["webp", 800, 400],
  ]);
});

test.each(["png", "jpeg", "gif", "webp"] as const)("%s is accepted", async (format) => {
  origin.answer = respondWith(await pictureOf(30, 30, format));
  expect(await ask(stage(), site())).toBe("fetched");
});

describe("one fetch", () => {
  test("serves 200 clients at once, also when it fails", async () => {
    const delayed: (() => void)[] = [];
    origin.answer = (_request, response) => void delayed.push(() => response.end(picture));
    const staged = stage();
    const all = Promise.all(Array.from({ length: 200 }, async () => await ask(staged, site())));
    while (delayed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    delayed[0]?.();
    await all;
    expect([new Set(staged.outcomes), origin.requests]).toEqual([new Set(["fetched"]), ["/a.jpg -"]]);
    origin.answer = (_request, response) => void response.writeHead(404).end();
    await Promise.all(Array.from({ length: 200 }, async () => await ask(staged, site("/none.jpg"))));
    expect([staged.outcomes.slice(200).every((end) => end === "missing"), origin.requests.length]).toEqual([true, 2]);
  });

  test("that failed is remembered for a while", async () => {
    origin.answer = (_request, response) => void response.writeHead(404).end();
    const staged = stage();
    for (let i = 0; i < 3; i += 1) expect(await ask(staged, site())).toBe("missing");
    await staged.clock.advance(minute);
    origin.answer = respondWith(picture);
    expect(await ask(staged, site())).toBe("fetched");
    expect(origin.requests.length).toBe(2);
  });

  test("too many at once are refused as busy, which is not remembered", async () => {
    const delayed: (() => void)[] = [];
    origin.answer = (_request, response) => void delayed.push(() => response.end(picture));
    const staged = stage({ limits: { atOnce: 1, waiting: 1 } });
    const both = [ask(staged, site("/1")), ask(staged, site("/2"))];
    while (delayed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await ask(staged, site("/3"))).toBe("busy");
    delayed.shift()?.();
    while (delayed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    delayed.shift()?.();
    await Promise.all(both);
    origin.answer = respondWith(picture);
    expect(await ask(staged, site("/3"))).toBe("fetched");
  });
});

describe("the minimum freshness of a picture", () => {
  test("passes without a request, even while the origin is away; then the ETag is revalidated", async () => {
    versioned('"v1"');
    const staged = stage({ minimumMs: 30 * minute });
    expect(await ask(staged, site())).toBe("fetched");
    const { port } = origin;
    await origin.stop();
    await staged.clock.advance(29 * minute);
    expect(await ask(staged, site())).toBe("memory");
    await staged.clock.advance(2 * minute);
    origin = await startOrigin(origin.answer, "127.0.0.1", port);
    expect(await ask(staged, site())).toBe("revalidated");
    expect(origin.requests).toEqual(['/a.jpg "v1"']);
    expect(await ask(staged, site())).toBe("memory");
    await staged.clock.advance(31 * minute);
    picture = await pictureOf(100, 100);
    versioned('"v2"');
    expect(await ask(staged, site())).toBe("fetched");
    expect(origin.requests).toEqual(['/a.jpg "v1"', '/a.jpg "v1"']);
  });

  test("is extended by the headers of the origin, and not shortened by `no-store`", async () => {
    versioned('"v1"', { "cache-control": "max-age=7200" });
    const staged = stage({ minimumMs: 30 * minute });
    await ask(staged, site());
    await staged.clock.advance(119 * minute);
    expect(await ask(staged, site())).toBe("memory");
    await staged.clock.advance(2 * minute);
    expect(await ask(staged, site())).toBe("revalidated");
    versioned('"v1"', { "cache-control": "no-store" });
    await ask(staged, site("/b.jpg"));
    await staged.clock.advance(29 * minute);
    expect(await ask(staged, site("/b.jpg"))).toBe("memory");
  });

  test("is followed by a day in which the old picture is served while the origin is away", async () => {
    const staged = stage({ minimumMs: 30 * minute });
    await ask(staged, site());
    await origin.stop();
    await staged.clock.advance(31 * minute);
    expect(await ask(staged, site())).toBe("stale");
    await staged.clock.advance(staleMs - 2 * minute);
    expect(await ask(staged, site())).toBe("stale");
    await staged.clock.advance(2 * minute);
    expect(await ask(staged, site())).toBe("away");
    expect(readdirSync(staged.folder)).toEqual([]);
  });

  test("does not save a picture that its origin removed", async () => {
    const staged = stage({ minimumMs: 30 * minute });
    await ask(staged, site());
    origin.answer = (_request, response) => void response.writeHead(410).end();
    await staged.clock.advance(31 * minute);
    expect([await ask(staged, site()), readdirSync(staged.folder)]).toEqual(["missing", []]);
  });

  test("is followed by a revalidation with Last-Modified when there is no ETag", async () => {
    const when = "Fri, 20 Nov 2026 02:00:00 GMT";
    const seen: unknown[] = [];
    origin.answer = (request, response) => {
      seen.push(request.headers["if-modified-since"]);
      if (request.headers["if-modified-since"] === when) response.writeHead(304).end();
      else response.writeHead(200, { "last-modified": when }).end(picture);
    };
    const staged = stage({ minimumMs: minute });
    await ask(staged, site());
    await staged.clock.advance(2 * minute);
    expect(await ask(staged, site())).toBe("revalidated");
    expect(seen).toEqual([undefined, when]);
  });
});

describe("on disk", () => {
  test("pictures survive a restart, until the rules for hosts change", async () => {
    const first = stage();
    await ask(first, site());
    const { folder, clock } = first;
    expect(await ask(stage({ folder, clock }), site())).toBe("disk");
    expect(await ask(stage({ folder, clock, denyHosts: ["ads.example"] }), site())).toBe("fetched");
    expect(readdirSync(folder).every((name) => /^[0-9a-f]{64}\.picture$/.test(name))).toBe(true);
  });

  test.each([
    ["a flipped byte", (bytes: Buffer) => bytes.fill(bytes.at(-1) === 1 ? 2 : 1, bytes.length - 1)],
    ["a missing end", (bytes: Buffer) => bytes.subarray(0, -5)],
    ["a lost head", (bytes: Buffer) => bytes.subarray(10)],
    ["nothing in it", () => Buffer.alloc(0)],
  ])("a file with %s is dropped and fetched again", async (_what, spoil) => {
    const staged = stage({ memory: false });
    await ask(staged, site());
    const [name = ""] = readdirSync(staged.folder);
    const file = path.join(staged.folder, name);
    const spoilt = spoil(readFileSync(file));
    writeFileSync(file, spoilt);
    expect(readCached(Buffer.from(spoilt))).toBeNull();
    expect([await ask(staged, site()), await ask(staged, site()), origin.requests.length]).toEqual(["fetched", "disk", 2]);
  });

  test("there are never more bytes than the limit, and the most recently used pictures stay", async () => {
    const noise = async (seed: number) =>
      await sharp(Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, i) => (i * i * (seed + 7)) % 251)), {
        raw: { width: 64, height: 64, channels: 3 },
      })
        .png()
        .toBuffer();
    const bodies = await Promise.all(Array.from({ length: 12 }, async (_, i) => await noise(i)));
    origin.answer = ({ url }, response) => void response.end(bodies[Number(url?.slice(1))]);
    const probe = stage();
    await ask(probe, site("/0"));
    const one = readFileSync(path.join(probe.folder, readdirSync(probe.folder)[0] ?? "")).length;
    const staged = stage({ memory: false, mostBytes: one * 6 });
    for (let i = 0; i < 12; i += 1) {
      expect(await ask(staged, site(`/${i}`))).toBe("fetched");
      await staged.clock.advance(1000);
      expect(await ask(staged, site("/0"))).toBe("disk");
      await staged.clock.advance(1000);
      const total = readdirSync(staged.folder).reduce(
        (sum, name) => sum + readFileSync(path.join(staged.folder, name)).length,
        0,
      );
      expect(total).toBeLessThanOrEqual(one * 6);
    }
    expect(await ask(staged, site("/1"))).toBe("fetched");
  });

  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written only costs fetches", async () => {
    const staged = stage({ memory: false });
    chmodSync(staged.folder, 0o500);
    expect([await ask(staged, site()), await ask(staged, site())]).toEqual(["fetched", "fetched"]);
    await expect(staged.disk.probe()).rejects.toThrow(/EACCES/);
    chmodSync(staged.folder, 0o700);
  });

  test("a deleted folder is created again", async () => {
    const staged = stage({ memory: false });
    await ask(staged, site());
    expect(await staged.disk.bytes()).toBeGreaterThan(100);
    rmSync(staged.folder, { recursive: true });
    expect([await ask(staged, site()), await ask(staged, site()), await ask(staged, site())]).toEqual([
      "fetched",
      "fetched",
      "disk",
    ]);
  });

  test("a file in place of the folder only costs fetches", async () => {
    const first = stage();
    const folder = path.join(first.folder, "file");
    writeFileSync(folder, "");
    const staged = stage({ memory: false, folder });
    expect([await ask(staged, site()), await ask(staged, site())]).toEqual(["fetched", "fetched"]);
    await expect(staged.disk.probe()).rejects.toThrow();
  });
});

import { deflateSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { isPublicAddress } from "#infra/outgoing/addresses.ts";
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

let origin: Origin;
let picture: Buffer;
beforeEach(async () => {
  picture = await pictureOf();
  origin = await startOrigin(respondWith(picture, { "content-type": "text/html" }));
});
afterEach(async () => {
  await origin.stop();
  clearStages();
});

afterAll(closePictures);

const site = (route = "/a.png", host = "images.city.example") => `http://${host}:${origin.port}${route}`;

test("the setup of the tests: a picture of an allowed host is fetched, whatever type the origin declares", async () => {
  expect(await ask(stage(), site())).toBe("fetched");
});

describe("private addresses", () => {
  const spellings = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "[fe80::1]",
    "[fc00::1]",
  ];
  test.each(spellings)("%s is refused, even where every public host is allowed", async (host) => {
    const isPublic = isPublicAddress;
    const provided = stage({ isPublic });
    expect(await ask(provided, `http://${host}:${origin.port}/a.png`, "provider")).toBe("address");
    expect(["host", "address"]).toContain(await ask(stage({ isPublic }), `http://${host}:${origin.port}/a.png`));
    expect(origin.requests).toEqual([]);
  });

  test.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1", "0.0.0.0"])(
    "a name that resolves to %s is refused",
    async (address) => {
      const names = { "images.city.example": [address] };
      expect(await ask(stage({ isPublic: isPublicAddress, names }), site())).toBe("address");
      expect(origin.requests).toEqual([]);
    },
  );

  test("a name that changes its address between two requests is checked each time", async () => {
    origin.answer = (_request, response) => response.writeHead(302, { location: "/second.png" }).end();
    const names = { "images.city.example": ["127.0.0.1", "127.0.0.2"] };
    expect(await ask(stage({ names }), site())).toBe("address");
    expect(origin.requests).toEqual(["/a.png -"]);
  });

  test("the address of the connected socket is checked too", async () => {
    let checks = 0;
    expect(await ask(stage({ isPublic: () => (checks += 1) === 1 }), site())).toBe("address");
    expect([checks, origin.requests]).toEqual([2, []]);
  });

  test.each(["http://127.0.0.2:1/", "http://[::1]:1/", "http://inside.city.example:1/"])(
    "a redirect to %s is not followed",
    async (location) => {
      origin.answer = (_request, response) => response.writeHead(302, { location }).end();
      const names = { "inside.city.example": ["127.0.0.2"] };
      const allowHosts = ["*.city.example", "127.0.0.0/30", "::1"];
      expect(await ask(stage({ names }), site())).toMatch(/^(?:address|host)$/);
      expect(await ask(stage({ names, allowHosts, denyHosts: ["127.0.0.2", "::1"] }), site())).toMatch(/^(?:address|host)$/);
    },
  );

  test("an address or a range allows exactly what it names, for literals and for allowed names", async () => {
    const inside = await startOrigin(respondWith(picture), "127.0.0.2", origin.port);
    const names = { "images.city.example": ["127.0.0.2"], "other.city.example": ["127.0.0.3"] };
    const opened = stage({ names, allowHosts: ["*.city.example", "127.0.0.2"] });
    expect(await ask(opened, site())).toBe("fetched");
    expect(await ask(opened, site("/b.png", "127.0.0.2"))).toBe("fetched");
    expect(await ask(opened, site("/a.png", "other.city.example"))).toBe("address");
    expect(await ask(opened, site("/a.png", "127.0.0.3"))).toBe("host");
    expect(await ask(stage({ names, allowHosts: ["127.0.0.2"] }), site())).toBe("host");
    expect(await ask(stage({ names, allowHosts: ["*.city.example"] }), site())).toBe("address");
    await inside.stop();
  });
});

describe("hosts", () => {
  test.each([
    ["a redirect to a host that is denied", "ads.city.example"],
    ["a redirect to a host that is not allowed", "elsewhere.example"],
    ["a redirect to a name with a similar end", "evil-city.example"],
  ])("%s is not followed", async (_what, host) => {
    origin.answer = (_request, response) => response.writeHead(301, { location: site("/b.png", host) }).end();
    expect(await ask(stage({ denyHosts: ["ads.city.example"] }), site())).toBe("host");
    expect(origin.requests).toEqual(["/a.png -"]);
  });

  test("a redirect to another allowed host is followed, three times", async () => {
    origin.answer = ({ url }, response) => {
      const step = Number(url?.slice(1, 2));
      if (step < 3) response.writeHead(302, { location: site(`/${step + 1}`, "more.city.example") }).end();
      else response.end(picture);
    };
    expect(await ask(stage(), site("/0"))).toBe("fetched");
    origin.answer = (_request, response) => response.writeHead(302, { location: "/again" }).end();
    expect(await ask(stage(), site("/x"))).toBe("redirects");
  });

  test.each([
    ["deny beats allow", "bad.city.example", "host"],
    ["a wildcard does not match the bare domain", "city.example", "host"],
    ["a wildcard does not match a name with a similar end", "evil-city.example", "host"],
    ["upper case is the same host", "IMAGES.City.Example", "fetched"],
    ["denied in upper case", "BAD.city.EXAMPLE", "host"],
    ["a dot at the end is the same host", "images.city.example.", "fetched"],
    ["denied with a dot at the end", "bad.city.example.", "host"],
    ["letters of other scripts are another host", "imagеs.cіty.example", "host"],
    ["letters that a browser folds are the same host", "ｉmages.city.example", "fetched"],
  ])("%s: %s", async (_what, host, end) => {
    expect(await ask(stage({ denyHosts: ["bad.city.example"] }), site("/a.png", host))).toBe(end);
  });

  test("nothing that people name is fetched while allowHosts is empty", async () => {
    expect(await ask(stage({ allowHosts: [] }), site())).toBe("host");
    expect(await ask(stage({ allowHosts: [] }), site(), "provider")).toBe("fetched");
  });

  test.each([
    "http://me:secret@images.city.example/",
    "http://images.city.example/\r\nhost: evil",
    "gopher://images.city.example/",
  ])("%j is no address", async (url) => expect(await ask(stage(), url)).toBe("address"));

  test("credentials in a redirect are not sent", async () => {
    origin.answer = (_request, response) => response.writeHead(302, { location: "http://a:b@images.city.example/" }).end();
    expect(await ask(stage(), site())).toBe("address");
  });
});

const script = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script><rect width="9" height="9"/></svg>`;

describe("content that is no picture", () => {
  test.each([
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["a drawing with a script", script],
    ["a script", "alert(1)"],
    ["nothing", ""],
    ["a film", "\0\0\0\u0018ftypmp42"],
    ["an archive", "PK\u0003\u0004"],
  ])("%s is not served", async (_what, body) => {
    origin.answer = respondWith(body, { "content-type": "image/png" });
    expect(await ask(stage(), site())).toBe("type");
  });

  test("a drawing that the configuration names is rasterized, without its script", async () => {
    origin.answer = respondWith(script, { "content-type": "image/svg+xml" });
    const given = await stage().service.picture({
      url: site(),
      size: 64,
      namedBy: "configuration",
      requester: "the tests",
      drawings: true,
    });
    expect(given?.type).toBe("image/webp");
    expect(Buffer.from(given?.bytes ?? []).toString("latin1")).not.toContain("script");
  });

  test("a drawing that config.yaml does not name literally is refused, even of a configured host", async () => {
    origin.answer = respondWith(script, { "content-type": "image/svg+xml" });
    const staged = stage();
    for (const namedBy of ["people", "provider", "configuration"] as const)
      expect([namedBy, await ask(staged, site(), namedBy)]).toEqual([namedBy, "type"]);
    expect(await ask(staged, site(), "configuration", "the tests", true)).toBe("fetched");
  });

  test("a picture with a page appended is served without the page and without its metadata", async () => {
    const { default: sharp } = await import("sharp");
    const withMetadata = await sharp(picture)
      .jpeg()
      .withExif({ IFD0: { Copyright: "Mara Lind" } })
      .toBuffer();
    origin.answer = respondWith(Buffer.concat([withMetadata, Buffer.from("<script>alert(1)</script>")]));
    const given = await stage().service.picture({
      url: site(),
      size: 64,
      namedBy: "people",
      drawings: false,
      requester: "the tests",
    });
    const text = Buffer.from(given?.bytes ?? []).toString("latin1");
    expect([withMetadata.includes("Mara Lind"), text.includes("Mara Lind"), text.includes("script")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(text).toMatch(/^RIFF[^]{4}WEBP/);
  });

  test("a broken picture is refused", async () => {
    origin.answer = respondWith(picture.subarray(0, picture.length / 2));
    expect(await ask(stage(), site())).toBe("broken");
  });
});

describe("floods", () => {
  const limits = { timeoutMs: 300, maxBytes: 20_000 };

  test("a huge body is cut off", async () => {
    let sent = 0;
    origin.answer = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    expect(await ask(stage({ limits: { ...limits, timeoutMs: 10_000 } }), site())).toBe("tooLarge");
    expect(sent).toBeLessThan(20_000_000);
  });

  test("a body with a length beyond the limit is not read", async () => {
    origin.answer = (_request, response) => response.writeHead(200, { "content-length": "20001" }).write(picture);
    expect(await ask(stage({ limits: { ...limits, timeoutMs: 10_000 } }), site())).toBe("tooLarge");
  });

  test("an endless slow body is aborted", async () => {
    origin.answer = (_request, response) => {
      response.write(picture.subarray(0, 20));
      const more = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(more));
    };
    expect(await ask(stage({ limits }), site())).toBe("away");
  });

  test("a request that is never answered is aborted", async () => {
    origin.answer = () => undefined;
    expect(await ask(stage({ limits }), site())).toBe("away");
  });

  test("a wrong length does not leave a partial picture", async () => {
    origin.answer = (_request, response) => {
      response.writeHead(200, { "content-length": String(picture.length + 10) });
      response.write(picture, () => response.destroy());
    };
    expect(await ask(stage({ limits }), site("/long.png"))).toBe("away");
    origin.answer = (_request, response) => {
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-length: 30\r\nconnection: close\r\n\r\n${picture.toString("latin1")}`,
        "latin1",
      );
    };
    expect(await ask(stage({ limits }), site("/short.png"))).toMatch(/^(?:broken|away)$/);
  });

  function bomb(width: number, height: number): Buffer {
    const chunk = (type: string, data: Buffer) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(data.length);
      head.write(type, 4, "latin1");
      const crc = Buffer.alloc(4);
      crc.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
      return Buffer.concat([head, data, crc]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([1, 0, 0, 0, 0], 8);
    const rows = deflateSync(Buffer.alloc(Math.min((width / 8 + 1) * height, 40_000_000)), { level: 9 });
    return Buffer.concat([
      Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
      chunk("IHDR", header),
      chunk("IDAT", rows),
      chunk("IEND", Buffer.alloc(0)),
    ]);
  }

  test.each([
    [20_000, 15_000],
    [100_000, 100_000],
  ])("a small file of %d by %d pixels is refused within bounded memory", async (width, height) => {
    const body = bomb(width, height);
    expect(body.length).toBeLessThan(100_000);
    origin.answer = respondWith(body);
    const before = process.memoryUsage().rss;
    expect(await ask(stage(), site())).toBe("tooLarge");
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe("signatures", () => {
  const given = (staged: ReturnType<typeof stage>, url = site()) => {
    const address = new URL(staged.service.imageProxyUrl(url, 256) ?? "", "http://here.invalid");
    expect(address.pathname).toBe("/api/image-proxy");
    const { searchParams: query } = address;
    return {
      url: query.get("url") ?? "",
      size: Number(query.get("size")),
      until: Number(query.get("until")),
      mark: query.get("mark") ?? "",
    };
  };
  const code = async (staged: ReturnType<typeof stage>, query: ReturnType<typeof given>) =>
    await staged.service.signedPicture(query, "192.0.2.1").then(
      ({ type }) => type,
      (error: { definition: { code: string } }) => error.definition.code,
    );

  test("are required, for exactly this URL, size and time", async () => {
    const staged = stage();
    const right = given(staged);
    expect(await code(staged, right)).toBe("image/webp");
    const wrong = [
      { ...right, mark: "" },
      { ...right, mark: `${right.mark}A` },
      { ...right, mark: `${right.mark.startsWith("A") ? "B" : "A"}${right.mark.slice(1)}` },
      { ...right, size: 512 },
      { ...right, size: 255 },
      { ...right, until: right.until + 86_400 },
      { ...right, url: site("/b.png") },
      { ...right, url: `${right.url}#x` },
    ];
    for (const one of wrong) expect(await code(staged, one)).toBe("imageproxy.markInvalid");
    expect(origin.requests).toEqual(["/a.png -"]);
  });

  test("are the same all day and expire after one to two days", async () => {
    const staged = stage();
    const right = given(staged);
    await staged.clock.advance(60_000);
    expect(given(staged)).toEqual(right);
    await staged.clock.advance(24 * 60 * 60_000);
    expect(given(staged)).not.toEqual(right);
    expect(await code(staged, right)).toBe("image/webp");
    await staged.clock.advance(24 * 60 * 60_000);
    expect(await code(staged, right)).toBe("imageproxy.markInvalid");
  });

  test("of a URL that is no longer allowed are not accepted", async () => {
    const right = given(stage());
    expect(await code(stage({ denyHosts: ["images.city.example"] }), right)).toBe("imageproxy.hostNotAllowed");
  });

  test("are not created for pictures that would not be fetched", () => {
    const { service } = stage({ denyHosts: ["bad.city.example"] });
    const urls = [site(), "http://bad.city.example/", "http://127.0.0.1/", "javascript:1", "http://a:b@x.city.example/"];
    expect(service.addresses(urls, 256).addresses.map((one) => one === null)).toEqual([false, true, true, true, true]);
    expect(service.addresses(urls, 300).addresses).toEqual([null, null, null, null, null]);
  });
});

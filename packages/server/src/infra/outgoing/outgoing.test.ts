import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { enterUnitOfWork } from "#core/db/unit-of-work.ts";
import type { OutgoingRequest } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { isPublicAddress } from "./addresses.ts";
import { type Reach, realReach } from "./reach.ts";
import { createOutgoing } from "./index.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: RequestListener): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
    handler(request, response);
  }).listen(0, "0.0.0.0");
  servers.push(server);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, seen };
}

const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { location }).end();
const answer: RequestListener = (_request, response) => response.end("internal");

async function problemOf(request: OutgoingRequest, reach: Reach = realReach): Promise<string> {
  const outgoing = createOutgoing({ clock: systemClock, reach });
  return await outgoing.request(request).then(
    () => "answered",
    (error: { problem?: string; name: string }) => error.problem ?? error.name,
  );
}

/** Resolves the given names; 127.0.0.1 counts as public. */
const staged = (names: Record<string, string[]>): Reach => ({
  resolve: async (host) => (names[host] ?? []).splice(0, 1).map((address) => ({ address, family: 4 })),
  isPublic: (address) => address === "127.0.0.1",
});

describe("which addresses are public", () => {
  test.each([
    "127.0.0.1",
    "127.255.1.2",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "::127.0.0.1",
    "::ffff:0:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:1::1",
    "2001:db8::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "100::1",
    "localhost",
    "",
  ])("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["93.184.216.34", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "::ffff:8.8.8.8"])(
    "%s is",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe("a supplied address", () => {
  test.each([
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `http://localhost:${port}/`,
    (port: number) => `http://2130706433:${port}/`,
    (port: number) => `http://0x7f000001:${port}/`,
    (port: number) => `http://0x7f.1:${port}/`,
    (port: number) => `http://0177.0.0.1:${port}/`,
    (port: number) => `http://127.1:${port}/`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
    (port: number) => `http://[::ffff:7f00:1]:${port}/`,
    (port: number) => `http://[::1]:${port}/`,
    (port: number) => `http://0.0.0.0:${port}/`,
    (port: number) => `http://①②⑦.0.0.1:${port}/`,
  ])("is refused in every spelling of this machine (%#)", async (spell) => {
    const { port, seen } = await serve(answer);
    expect(await problemOf({ url: spell(port), from: "supplied" })).toBe("refusedAddress");
    expect(seen).toEqual([]);
  });

  test.each(["ftp://example.org/", "file:///etc/passwd", "http://a:b@example.org/", "not an address", "//example.org"])(
    "%s is refused",
    async (url) => expect(await problemOf({ url, from: "supplied" })).toBe("badUrl"),
  );

  test("is refused when a redirect leads to a private address", async () => {
    const inside = await serve(answer);
    const outside = await serve(redirectTo(`http://127.0.0.2:${inside.port}/`));
    const reach = staged({ "city.example": ["127.0.0.1"] });
    expect(await problemOf({ url: `http://city.example:${outside.port}/`, from: "supplied" }, reach)).toBe("refusedAddress");
    expect([outside.seen.length, inside.seen]).toEqual([1, []]);
  });

  test("is resolved and checked again at a redirect", async () => {
    const { port, seen } = await serve((request, response) =>
      request.url === "/" ? redirectTo("/second")(request, response) : response.end("internal"),
    );
    const reach = staged({ "rebind.example": ["127.0.0.1", "127.0.0.2"] });
    expect(await problemOf({ url: `http://rebind.example:${port}/`, from: "supplied" }, reach)).toBe("refusedAddress");
    expect(seen).toEqual(["GET / -"]);
  });

  test("is checked again by the address of the connected socket", async () => {
    const { port, seen } = await serve(answer);
    let judged = 0;
    const reach: Reach = { resolve: async () => [{ address: "127.0.0.1", family: 4 }], isPublic: () => (judged += 1) === 1 };
    expect(await problemOf({ url: `http://city.example:${port}/`, from: "supplied" }, reach)).toBe("refusedAddress");
    expect([judged, seen]).toEqual([2, []]);
  });
});

describe("a configured address", () => {
  test("may be private, and its credentials are sent to its own host only", async () => {
    const inside = await serve(answer);
    const { port, seen } = await serve((request, response) =>
      request.url === "/"
        ? redirectTo("/here")(request, response)
        : redirectTo(`http://127.0.0.2:${inside.port}/`)(request, response),
    );
    const url = `http://127.0.0.1:${port}/`;
    const given = { url, from: "endpoint", headers: { authorization: "Bearer x" } } as const;
    expect(await problemOf(given)).toBe("refusedAddress");
    expect([seen, inside.seen]).toEqual([["GET / Bearer x", "GET /here Bearer x"], []]);
    const elsewhere = await serve(answer);
    const away = await serve(redirectTo(`http://city.example:${elsewhere.port}/`));
    const reach = staged({ "city.example": ["127.0.0.1"] });
    expect(await problemOf({ ...given, url: `http://127.0.0.1:${away.port}/` }, reach)).toBe("answered");
    expect(elsewhere.seen).toEqual(["GET / -"]);
  });

  test("returns status, headers and the final URL", async () => {
    const { port } = await serve((request, response) =>
      request.url === "/a" ? redirectTo("/b")(request, response) : response.writeHead(418, { "x-one": "1" }).end("tea"),
    );
    const got = await createOutgoing({ clock: systemClock }).request({ url: `http://127.0.0.1:${port}/a`, from: "endpoint" });
    expect([got.status, got.headers["x-one"], Buffer.from(got.body).toString(), got.url]).toEqual([
      418,
      "1",
      "tea",
      `http://127.0.0.1:${port}/b`,
    ]);
  });

  test("does not follow redirects after a POST, nor more than three", async () => {
    const { port, seen } = await serve(redirectTo("/again"));
    const url = `http://127.0.0.1:${port}/`;
    const post = await createOutgoing({ clock: systemClock }).request({ url, from: "endpoint", method: "POST", body: "a=b" });
    expect([post.status, seen]).toEqual([302, ["POST / -"]]);
    expect(await problemOf({ url, from: "endpoint" })).toBe("tooManyRedirects");
    expect(seen).toHaveLength(5);
  });

  test.each([true, false])("is cut off when it sends too much (length declared: %s)", async (declared) => {
    const { port } = await serve((_request, response) => {
      if (declared) response.writeHead(200, { "content-length": "5000" });
      response.end("x".repeat(5000));
    });
    expect(await problemOf({ url: `http://127.0.0.1:${port}/`, from: "endpoint", maxBytes: 4999 })).toBe("tooLarge");
    expect(await problemOf({ url: `http://127.0.0.1:${port}/`, from: "endpoint", maxBytes: 5000 })).toBe("answered");
  });

  test("times out when the whole answer takes too long, although data arrives", async () => {
    const { port } = await serve((_request, response) => {
      response.write("a");
      const more = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(more));
    });
    expect(await problemOf({ url: `http://127.0.0.1:${port}/`, from: "endpoint", timeoutMs: 150 })).toBe("timeout");
  });

  test("that refuses connections, or cannot be resolved, is unreachable", async () => {
    expect(await problemOf({ url: "http://127.0.0.1:1/", from: "endpoint" })).toBe("unreachable");
  });
});

describe("a rule for hosts and addresses", () => {
  const rule = { host: (host: string) => host.endsWith("city.example"), address: (address: string) => address !== "127.0.0.3" };

  test("applies to every hop of a supplied address", async () => {
    const { port, seen } = await serve((request, response) =>
      request.url === "/" ? redirectTo(`http://other.example:${port}/`)(request, response) : response.end("there"),
    );
    const reach = staged({ "city.example": ["127.0.0.1", "127.0.0.3"] });
    const given = { url: `http://CITY.example.:${port}/`, from: "supplied", reach: rule } as const;
    expect(await problemOf(given, { ...reach, resolve: async () => await reach.resolve("city.example") })).toBe("refusedHost");
    expect(await problemOf({ ...given, url: `http://city.example:${port}/there` }, reach)).toBe("refusedAddress");
    expect(seen).toEqual(["GET / -"]);
  });

  test("does not apply to the configured host, but to its redirects", async () => {
    const { port, seen } = await serve((request, response) =>
      request.url === "/" ? redirectTo(`http://other.example:${port}/`)(request, response) : response.end("there"),
    );
    const given = { url: `http://127.0.0.1:${port}/`, from: "endpoint", reach: rule } as const;
    expect(await problemOf(given)).toBe("refusedHost");
    expect(await problemOf({ ...given, url: `http://127.0.0.1:${port}/there` })).toBe("answered");
    expect(seen).toEqual(["GET / -", "GET /there -"]);
  });
});

test("proxies of the environment are not used", async () => {
  const [proxy, target] = [await serve(answer), await serve(answer)];
  process.env["http_proxy"] = `http://127.0.0.1:${proxy.port}`;
  process.env["HTTP_PROXY"] = process.env["http_proxy"];
  try {
    expect(await problemOf({ url: `http://127.0.0.1:${target.port}/`, from: "endpoint" })).toBe("answered");
  } finally {
    delete process.env["http_proxy"];
    delete process.env["HTTP_PROXY"];
  }
  expect([proxy.seen, target.seen.length]).toEqual([[], 1]);
});

test("refuses inside a unit of work", async () => {
  const { port, seen } = await serve(answer);
  const given = { url: `http://127.0.0.1:${port}/`, from: "endpoint" } as const;
  expect(await enterUnitOfWork("test.change", async () => await problemOf(given))).toBe("NestedUnitOfWork");
  expect(seen).toEqual([]);
});

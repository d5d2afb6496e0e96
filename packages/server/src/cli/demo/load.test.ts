import http from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Demo, demoGrant } from "#core/demo.ts";
import { citizensDemoGrants } from "#features/citizens/citizens.demo.policy.ts";
import { localAddress } from "../address.ts";
import { readablePassword } from "./identities.ts";
import { DemoRefused, loadDemo, type RoleGrant } from "./load.ts";
import { createProgress } from "./progress.ts";

/** A server that accepts all items except the id `refuse`. */
async function startServer(refuse = "") {
  const counts: Record<string, number> = {};
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const kind = request.url?.split("/").at(-1) ?? "";
      if (kind === "status") {
        response.end(JSON.stringify({ limits: { batchItems: 500, bodyBytes: 4_194_304, manifestIds: 1 } }));
        return;
      }
      const { items, source } = JSON.parse(Buffer.concat(parts).toString()) as {
        items: { plate?: string; model?: string }[];
        source: string;
      };
      expect([source, request.headers.authorization]).toEqual(["demo", "Bearer token"]);
      counts[kind] = (counts[kind] ?? 0) + items.length;
      const rejected = items.flatMap((item, index) =>
        refuse !== "" && item.model?.includes(refuse) === true
          ? [{ index, id: item.plate, code: "sync.itemInvalid", message: "no" }]
          : [],
      );
      response.end(JSON.stringify({ accepted: items.length - rejected.length, unchanged: 0, rejected }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, counts };
}

function optionsFor(url: string) {
  const written: string[] = [];
  const granted: RoleGrant[] = [];
  const options = {
    url,
    token: "token",
    seed: 42,
    startGrade: 2,
    progress: createProgress({ write: (text) => written.push(text) }),
    log: (line: string) => void written.push(line),
    createLogins: async (logins: readonly { username: string }[]) =>
      logins.map(({ username }) => ({ username, password: username === "taxi" ? null : "secret" })),
    permissions: [
      { id: "citizens.list", attributes: {} },
      { id: "papers.read", attributes: {} },
      { id: "papers.list", attributes: { fields: { type: "strings", values: ["text"] } } },
    ] as const,
    grants: [...citizensDemoGrants, demoGrant("press", 1, "papers.read")],
    rows: [
      {
        feature: "vehicles",
        load: async ({ send, random }: Demo) =>
          await send("vehicles.sync", [{ plate: "A", model: "Interceptor" }, { plate: `B ${random.between(1, 9)}` }]),
      },
    ],
    actor: { kind: "system", name: "test" } as const,
    grantRoles: async (grants: readonly RoleGrant[]) => void granted.push(...grants),
  };
  return { options, written, granted };
}

describe("loadDemo", () => {
  it("sends the whole city, then roles and logins", async () => {
    const { url, counts } = await startServer();
    const { options, written, granted } = optionsFor(url);
    const loaded = await loadDemo(options);
    expect(counts).toEqual({ jobs: 8, licences: 8, accounts: 16, users: 2000, vehicles: 2 });
    expect(loaded.counts).toEqual(counts);
    expect(loaded.logins).toContainEqual({
      username: "police.chief",
      password: "secret",
      plays: "Katharina Lindqvist, Police Department, Chief",
    });
    expect(loaded.logins).toContainEqual({
      username: "taxi",
      password: null,
      plays: "Hank Calloway, City Cab, Driver",
    });
    expect(granted).toContainEqual({
      job: "police",
      grade: 7,
      permission: "citizens.list",
      allow: true,
      attributes: { fields: ["job", "phone", "licences", "visum", "playtime"] },
    });
    expect(granted.filter(({ permission }) => permission === "papers.list")).toEqual([
      { job: "police", grade: 8, permission: "papers.list", allow: true, attributes: { fields: ["text"] } },
    ]);
    expect(granted.filter(({ permission }) => permission === "papers.read")).toEqual([
      { job: "press", grade: 3, permission: "papers.read", allow: true, attributes: {} },
    ]);
    expect(written).toEqual(["jobs       8\n", "licences   8\n", "accounts   16\n", "users      2000\n", "vehicles   2\n"]);
  });

  it("stops at the first rejected item and creates no login", async () => {
    const { url } = await startServer("Interceptor");
    const { options, granted } = optionsFor(url);
    await expect(loadDemo(options)).rejects.toThrow(DemoRefused);
    expect(granted).toEqual([]);
  });
});

describe("progress", () => {
  it("moves a bar on a terminal", () => {
    let shown = "";
    const step = createProgress({ isTTY: true, columns: 60, write: (text) => (shown += text) }).step("users", 4);
    step.advance(1);
    step.advance(3);
    step.end();
    const lines = shown.split("\r").slice(1);
    expect(lines[0]).toMatch(/^users {6}\[\.+\] 0\/4$/);
    expect(lines[1]).toMatch(/^users {6}\[#{10}\.{30}\] 1\/4$/);
    expect(lines[2]).toMatch(/^users {6}\[#{40}\] 4\/4\n$/);
    expect(Math.max(...lines.map((line) => line.trimEnd().length))).toBeLessThan(60);
  });
});

it("passwords have 16 characters that do not look alike", () => {
  let n = 0;
  const ids = { secret: () => "AZ01loI-_abcdefghijk" + String(n++) };
  const password = readablePassword(ids);
  expect(password).toMatch(/^[2-9a-hjkmnp-z]{16}$/);
});

it.each([
  [null, "http://127.0.0.1:8080"],
  ["0.0.0.0", "http://127.0.0.1:8080"],
  ["::", "http://127.0.0.1:8080"],
  ["::1", "http://[::1]:8080"],
  ["10.0.0.5", "http://10.0.0.5:8080"],
])("a server that listens on %s is reached at %s", (host, url) => {
  expect(localAddress({ host, port: 8080 })).toBe(url);
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import { packSdk } from "../build.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const project = mkdtempSync(path.join(os.tmpdir(), "rollcall-sdk-published-"));
const installed = path.join(project, "node_modules/@rollcall/sync-sdk");

beforeAll(async () => {
  const file = path.join(project, "rollcall-sync-sdk.tgz");
  await packSdk(file);
  mkdirSync(installed, { recursive: true });
  const { stderr, status } = spawnSync("tar", ["-xzf", file, "-C", installed, "--strip-components=1"], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return () => rmSync(project, { recursive: true, force: true });
});

/** Every Node of this machine: the one that runs this test, and others on the path, older ones too. */
function nodes(): string[] {
  const places = (process.env["PATH"] ?? "").split(path.delimiter).map((directory) => path.join(directory, "node"));
  const found = [process.execPath, ...places, "/usr/bin/node", "/usr/local/bin/node"].filter((file) => existsSync(file));
  const byVersion = new Map(found.map((file) => [spawnSync(file, ["--version"], { encoding: "utf8" }).stdout.trim(), file]));
  return [...byVersion].filter(([version]) => version !== "").map(([, file]) => file);
}

const use = `
const http = require("node:http");
const check = async ({ createSyncClient, SyncError, sdkVersion }) => {
  const server = http.createServer((request, response) => {
    const requests = [{ id: "1", position: 1, kind: "citizens.resync", payload: { identifier: "char1" }, sentAt: 1, expiresInMs: 9999 }];
    const isPoll = request.url.includes("/requests?");
    if (isPoll && request.url.includes("after=")) return; // waits
    const answer = isPoll ? { requests, epoch: "e", position: 1, reset: false } : { accepted: 1, unchanged: 0, rejected: [] };
    request.resume().on("end", () => response.end(JSON.stringify(request.url.endsWith("status")
      ? { limits: { batchItems: 500, bodyBytes: 4194304, manifestIds: 9 } } : answer)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createSyncClient({ url: "http://127.0.0.1:" + server.address().port, token: "t", source: "s", queueDir: process.argv[2] });
  const result = await client.vehicles([{ plate: "A" }]);
  const run = new Promise((resolve) => client.requests.on("citizens.resync", ({ identifier }) => resolve(identifier)));
  await client.requests.start();
  const identifier = await run;
  await client.flush();
  await client.close();
  server.close();
  let thrown = null;
  try { createSyncClient({ url: "x" }); } catch (error) { thrown = error; }
  console.log(JSON.stringify([typeof sdkVersion, result.accepted, thrown instanceof SyncError, thrown.code, identifier]));
};
`;

describe.each(nodes())("the published package under %s", (node) => {
  it.each([
    ["required", "use.cjs", `${use} check(require("@rollcall/sync-sdk"));`],
    [
      "imported",
      "use.mjs",
      `import { createRequire } from "node:module"; import * as sdk from "@rollcall/sync-sdk"; const require = createRequire(import.meta.url); ${use} check(sdk);`,
    ],
  ])("works when it is %s", (_, name, code) => {
    writeFileSync(path.join(project, name), code);
    const queue = mkdtempSync(path.join(project, "queue-"));
    const { stdout, stderr } = spawnSync(node, [name, queue], { cwd: project, encoding: "utf8", env: {}, timeout: 60_000 });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(["string", 1, true, "client.option", "char1"]);
  });
});

describe("the published package", () => {
  it("has no dependencies and only the files that it needs", () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: "@rollcall/sync-sdk",
      main: "./index.cjs",
      engines: { node: ">=16" },
    });
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
    expect(readdirSync(installed).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "index.cjs",
      "index.d.mts",
      "index.d.ts",
      "index.mjs",
      "package.json",
      "types",
    ]);
    const code = readFileSync(path.join(installed, "index.cjs"), "utf8");
    for (const [, name] of code.matchAll(/require\("([^"]+)"\)/g)) expect(name).toMatch(/^node:/);
  });

  it("carries types that a strict program can use, as CommonJS and as a module", () => {
    const program = `import { createSyncClient, type User, type SyncEvent } from "@rollcall/sync-sdk";
      const user: User = { identifier: "a", firstName: "b", lastName: "c", jobs: [{ name: "police", grade: 1 }] };
      const client = createSyncClient({ url: "http://x", token: "t", source: "s", onEvent: (event: SyncEvent) => event.type });
      export const accepted: Promise<number> = client.users([user]).then((result) => result.accepted);
      client.requests.on("citizens.resync", async ({ identifier }, { id, signal }) => {
        await client.deleteUsers([identifier, id].slice(signal.aborted ? 1 : 0, 1));
      });
      export const started: Promise<void> = client.requests.start();
      // @ts-expect-error there is no such request
      client.requests.on("citizens.nothing", () => undefined);
      // @ts-expect-error a user without a name
      export const wrong = client.users([{ identifier: "a", jobs: [] }]);`;
    mkdirSync(path.join(project, "types"), { recursive: true });
    for (const name of ["types/a.cts", "types/b.mts"]) writeFileSync(path.join(project, name), program);
    const options = {
      strict: true,
      noEmit: true,
      module: "node16",
      moduleResolution: "node16",
      target: "es2021",
      types: [],
      skipLibCheck: false,
    };
    writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["types"] }));
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 0]);
  });
});

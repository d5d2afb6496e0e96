import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "./client.testkit.ts";
import { RequestModel, requestServer } from "./requests.testkit.ts";

const index = new URL("index.ts", import.meta.url).href;

/** Writes each run to a file, and dies where its argument says. */
const plugin = `
import { appendFileSync } from "node:fs";
import { createSyncClient } from ${JSON.stringify(index)};
const [url, queueDir, runs, dieAt] = process.argv.slice(1);
const die = () => process.kill(process.pid, "SIGKILL");
const client = createSyncClient({ url, token: "t", source: "city-1", queueDir, retry: { baseMs: 10, maxMs: 50 } });
client.requests.on("citizens.resync", async (payload, { id }) => {
  if (dieAt === "before the effect") die();
  appendFileSync(runs, id + "\\n");
  if (dieAt === "after the effect") die();
  return {};
});
await client.requests.start();
`;

it.each([
  // Nothing began: it is run by the next process.
  ["when the poll arrives", "done", 1],
  // Whether the answer arrived is a matter of chance; either way it is not run twice.
  ["when the poll was answered", "done|unknown", 1],
  ["before the effect", "unknown", 0],
  ["after the effect", "unknown", 1],
  ["when the receipt arrives", "done", 1],
  ["when the receipt was stored, but not answered", "done", 1],
  ["when the receipt was answered", "done", 1],
] as const)("a plugin that is killed %s", { timeout: 60_000 }, async (dieAt, end, most) => {
  const model = new RequestModel();
  const server = await requestServer(model);
  const directory = temporaryDirectory();
  const runs = path.join(directory, "runs");
  const start = () => {
    const args = ["--input-type=module", "-e", plugin, server.url, path.join(directory, "queue"), runs, dieAt];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let errors = "";
    child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
    return { child, ended: once(child, "exit"), errors: () => errors };
  };
  const id = model.send("citizens.resync", { identifier: "a" });
  const first = start();
  let reported = 0;
  server.onCall({
    before(method) {
      if (method === "POST") reported += 1;
      const dies =
        (dieAt === "when the poll arrives" && method === "GET") || (dieAt === "when the receipt arrives" && method === "POST");
      // A poll that follows shows that the answer to the receipt has arrived.
      const follows = dieAt === "when the receipt was answered" && method === "GET" && reported > 0;
      if (!dies && !follows) return true;
      first.child.kill("SIGKILL");
      return false;
    },
    after(method) {
      if (dieAt === "when the poll was answered" && method === "GET") setTimeout(() => first.child.kill("SIGKILL"), 1);
      if (dieAt !== "when the receipt was stored, but not answered" || method !== "POST") return true;
      first.child.kill("SIGKILL");
      return false;
    },
  });
  const [, signal] = (await first.ended) as [number | null, string | null];
  expect([first.errors(), signal]).toEqual(["", "SIGKILL"]);
  server.onCall({});
  // Answers that the dead one has not received are delivered again; a second request shows that the next process works.
  const next = model.send("other.kind");
  const second = start();
  await expect.poll(() => model.allEnded, { timeout: 30_000 }).toBe(true);
  second.child.kill("SIGKILL");
  await second.ended;
  expect(model.find(id).state).toMatch(new RegExp(`^(?:${end})$`));
  expect(model.find(next).state).toBe("refused");
  const ran = existsSync(runs) ? readFileSync(runs, "utf8").trim().split("\n").filter(Boolean) : [];
  expect(ran.length).toBeLessThanOrEqual(most);
  if (model.find(id).state === "done") expect(ran).toEqual([id]);
});

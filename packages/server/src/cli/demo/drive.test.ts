import http from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createCity } from "./city.ts";
import { driveDemo, residentsOf } from "./drive.ts";
import { DemoRefused } from "./load.ts";

interface Call {
  readonly kind: string;
  readonly items: { readonly identifier: string; readonly event?: string }[];
}

const city = createCity({ seed: 42, startGrade: 1 });

/** A Sync API that keeps the calls. */
async function startServer(answer: (kind: string) => object = () => ({ accepted: 1, unchanged: 0, ignored: 0, rejected: [] })) {
  const calls: Call[] = [];
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const kind = request.url?.split("/").at(-1) ?? "";
      const limits = { batchItems: 500, bodyBytes: 4_194_304, manifestIds: 1, items: [] };
      if (kind !== "status") calls.push({ kind, ...(JSON.parse(text) as { items: Call["items"] }) });
      response.end(JSON.stringify(kind === "status" ? { limits } : answer(kind)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, calls };
}

describe("the driving demo city", () => {
  it("begins with the characters of its logins, and one of each licence", () => {
    const residents = residentsOf(city, 300);
    expect(residents).toHaveLength(300);
    const steady = residents.filter(({ isSteady }) => isSteady);
    expect(steady).toEqual(residents.slice(0, steady.length));
    // All logins but the two without work.
    expect(steady).toHaveLength(city.logins.length - 2);
    expect(new Set(residents.map(({ identifier }) => identifier.split(":")[1])).size).toBe(300);
  });

  it("sends who is on duty, then where they are, until it is interrupted, and ends their duty", async () => {
    const { url, calls } = await startServer();
    const clock = createTestClock();
    const controller = new AbortController();
    const residents = residentsOf(city, 40);
    const lines: string[] = [];
    const driving = driveDemo({
      ...{ url, token: "token", seed: 42, residents, clock, signal: controller.signal },
      log: (line) => void lines.push(line),
    });
    await expect.poll(() => lines).toEqual(["40 people of the demo city drive around. Ctrl+C ends it."]);
    await clock.advance(1000);
    await expect.poll(() => calls.some(({ kind, items }) => kind === "positions" && items.length > 20)).toBe(true);
    controller.abort();
    await driving;
    const duty = calls.filter(({ kind }) => kind === "duty");
    const on = duty[0]!.items.map(({ identifier }) => identifier);
    expect(on.length).toBeGreaterThan(20);
    expect(duty.at(-1)!.items.every(({ event }) => event === "off")).toBe(true);
    expect(duty.at(-1)!.items.length).toBeGreaterThan(on.length - 3);
  });

  it("says what to do when its people are not there", async () => {
    const rejected = [{ index: 0, id: "k", code: "sync.itemInvalid", message: "identifier is not known" }];
    const { url } = await startServer((kind) => ({ accepted: 0, unchanged: 0, rejected: kind === "duty" ? rejected : [] }));
    const options = { url, token: "t", seed: 42, residents: residentsOf(city, 1), clock: createTestClock() };
    const driving = driveDemo({ ...options, signal: new AbortController().signal, log: () => undefined });
    await expect(driving).rejects.toThrow(DemoRefused);
    await expect(driving).rejects.toThrow("rollcall demo load");
  });
});

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTo } from "@rollcall/testkit/api.ts";
import { usersOf } from "@rollcall/testkit/population.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { City, print } from "./ingest.scenario.ts";

/** The server allows a request 60 s, and checks every 30 s. */
const cutWithinMs = 95_000;

describe("a sender that never ends its request", () => {
  let city: City;
  beforeAll(async () => {
    city = await City.start(false);
  });
  afterAll(async () => await city?.stop());

  const request = `POST /api/sync/v1/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${secrets.sync}\r\ncontent-type: application/json\r\ncontent-length: 50000\r\n`;

  /** Sends a byte each second until the server ends it; its answer and how long that took. */
  async function dribble(start: string): Promise<{ ms: number; answer: string }> {
    const started = performance.now();
    const socket = connect(city.instance.port, "127.0.0.1");
    let answer = "";
    socket.on("error", () => undefined).on("data", (data: Buffer) => (answer += String(data)));
    socket.write(start);
    const drip = setInterval(() => socket.write("x"), 1000);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drip);
    return { ms: performance.now() - started, answer };
  }

  test("is cut off, in head and body, while others are served", async () => {
    const slow = Promise.all([
      ...Array.from({ length: 20 }, async () => await dribble(`${request}\r\n{"items":[`)),
      ...Array.from({ length: 20 }, async () => await dribble(`${request}x-slow: `)),
    ]);
    expect((await sendTo(city.instance.url, "users", usersOf(0, 100))).body).toMatchObject({ accepted: 100 });
    const answers = await slow;
    for (const { ms, answer } of answers) {
      expect(ms).toBeLessThan(cutWithinMs);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    }
    expect((await sendTo(city.instance.url, "users", usersOf(0, 100))).body).toMatchObject({ unchanged: 100 });
    print(
      `40 slow senders cut off after ${Math.round(Math.min(...answers.map(({ ms }) => ms)) / 1000)} to ${Math.round(Math.max(...answers.map(({ ms }) => ms)) / 1000)} s`,
    );
  });
});

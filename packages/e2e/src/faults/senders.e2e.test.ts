import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, sendTo } from "@rollcall/testkit/api.ts";
import { residentMb } from "@rollcall/testkit/memory.ts";
import { userOf, usersOf } from "@rollcall/testkit/population.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { until } from "@rollcall/testkit/until.ts";
import { backings, City, expectExactly } from "./ingest.scenario.ts";

const sync = { authorization: `Bearer ${secrets.sync}` };

describe.each(backings)("broken senders against $name", ({ scaled }) => {
  let city: City;
  beforeAll(async () => {
    city = await City.start(scaled);
  });
  afterAll(async () => await city?.stop());

  const pid = () => city.program.child.pid!;
  const descriptors = () => readdirSync(`/proc/${pid()}/fd`).length;

  async function post(body: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${city.instance.url}/api/sync/v1/users`, {
      method: "POST",
      headers: { ...sync, "content-type": "application/json", ...headers },
      body,
    });
    return { status: response.status, problem: (await response.json()) as { code: string; title: string } };
  }

  test("a body over the limit is refused with a problem document", async () => {
    const { status, problem } = await post(JSON.stringify({ items: [{ ...userOf(1), firstName: "x".repeat(4_400_000) }] }));
    expect(status).toBe(413);
    expect(problem.code).toBe("system.bodyTooLarge");
    expect(problem.title).toMatch(/4[\s.,]?194[\s.,]?304|4 MB|4 MiB/);
  });

  test.each([
    ["no JSON", '{"items": [{', {}, 400],
    ["nothing", "", {}, 400],
    ["another shape", "[1, 2]", {}, 400],
    ["too many items", JSON.stringify({ items: Array.from({ length: 501 }, () => userOf(1)) }), {}, 400],
    ["nested without end", "[".repeat(100_000), {}, 400],
    ["another type", "<users/>", { "content-type": "text/xml" }, 415],
    ["a foreign token", "{}", { authorization: "Bearer of-bad-news" }, 401],
  ])("%s is refused with a problem document", async (_name, body, headers, expected) => {
    const { status, problem } = await post(body, headers);
    expect(status, problem.title).toBe(expected);
    expect(problem.title.length).toBeGreaterThan(10);
    expect(problem.code).toMatch(/^\w+\.\w+$/);
  });

  test("ten connections that send the same users store each once, and answer all", async () => {
    const range = { from: 0, to: 500 };
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        async (_answer, i) =>
          await sendTo(
            city.instance.url,
            "users",
            i % 2 === 0 ? usersOf(range.from, range.to) : usersOf(range.from, range.to).toReversed(),
          ),
      ),
    );
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : `${status} ${text}`))).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + (body.accepted as number), 0)).toBe(500);
    expectExactly(city, range);
  });

  test("connections that send different states of the same new users leave one state, whole, and count each change", async () => {
    const range = { from: 1000, to: 1200 };
    const states = [
      {
        firstName: "Before",
        jobs: [{ name: "taxi", grade: 0 }],
        phoneNumbers: [{ number: "100" }],
        licences: ["drive"],
      },
      {
        firstName: "After",
        jobs: [{ name: "medic", grade: 1 }],
        phoneNumbers: [{ number: "200" }],
        licences: ["fly"],
      },
    ] as const;
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        async (_answer, i) =>
          await sendTo(
            city.instance.url,
            "users",
            usersOf(range.from, range.to).map((user) => ({ ...user, ...states[i % 2] })),
          ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = city.query(
      `select c.first_name, c.version, j.job, p.number, l.type from citizens c join citizens_jobs j on j.citizen_id = c.id join citizens_phones p on p.citizen_id = c.id join citizens_licences l on l.citizen_id = c.id where c.identifier between '${userOf(range.from).identifier}' and '${userOf(range.to - 1).identifier}'`,
    );
    expect(rows).toHaveLength(200);
    const changes = answers.reduce((sum, { body }) => sum + (body.accepted as number), 0);
    expect(
      rows.reduce((sum, row) => sum + Number(row.split("\t")[1]), 0),
      "each accepted change raises a version",
    ).toBe(changes);
    for (const row of rows) expect(row).toMatch(/^(?:Before\t\d+\ttaxi\t100\tdrive|After\t\d+\tmedic\t200\tfly)$/);
  });

  /** Opens a connection and sends only the beginning of a request. */
  async function half(text: string): Promise<Socket> {
    const socket = connect(city.instance.port, "127.0.0.1");
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    await new Promise((resolve) => socket.write(text, resolve));
    return socket;
  }

  const head = `POST /api/sync/v1/users HTTP/1.1\r\nhost: localhost\r\nauthorization: ${sync.authorization}\r\ncontent-type: application/json\r\ncontent-length: 50000\r\n\r\n{"items":[`;

  test("connections that end during a request leave nothing behind", async () => {
    await until("the connections of before are gone or idle", async () => (await fetch(`${city.instance.adminUrl}/livez`)).ok);
    const [files, memory] = [descriptors(), residentMb(pid())];
    for (const end of ["half-closed", "reset", "half-closed", "reset"]) {
      const sockets = await Promise.all(
        Array.from({ length: 50 }, async () => await half(end === "reset" ? head.slice(0, 60) : head)),
      );
      for (const socket of sockets) {
        if (end === "reset") socket.resetAndDestroy();
        else socket.end();
      }
    }
    await until("the server has let go of them", () => descriptors() <= files + 5);
    expect(residentMb(pid()) - memory).toBeLessThan(60);
    expect((await sendTo(city.instance.url, "users", usersOf(0, 5))).body).toMatchObject({ unchanged: 5 });
  });

  test("after all of that the same process serves, without an internal error in the log", async () => {
    expect(city.program.child.exitCode).toBeNull();
    expect((await call(city.instance.url, "/api/sync/v1/status", { token: secrets.sync })).status).toBe(200);
    const complaints = city.program
      .output()
      .split("\n")
      .filter((line) => /"level":"error"|uncaught/i.test(line));
    expect(complaints.slice(0, 3)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person, type Person, userToken } from "@rollcall/testkit/api.ts";
import { connectLive, type LiveClient } from "@rollcall/testkit/live.ts";
import { usersOf } from "@rollcall/testkit/population.ts";
import { run } from "@rollcall/testkit/program.ts";
import { startSender } from "@rollcall/testkit/sender.ts";
import { until } from "@rollcall/testkit/until.ts";
import { City, expectExactly, print } from "./ingest.scenario.ts";

/** A command's change reaches live pages this soon after the command has ended. */
const heardWithinMs = 5000;

describe("commands next to a running server on SQLite, while the game sends", () => {
  const range = { from: 0, to: 6000 };
  let city: City;
  let officer: Person;

  beforeAll(async () => {
    city = await City.start(false);
    officer = await person(city.instance, { username: "officer" });
    await role("allow");
    await until(
      "the role applies",
      async () =>
        (await call(city.instance.url, "/api/citizens", { token: await userToken(city.instance.url, officer) })).status === 200,
    );
  });
  afterAll(async () => await city?.stop());

  async function role(change: "allow" | "deny", ...more: string[]): Promise<void> {
    const { code, stderr } = await run(
      ["role", change, "citizens.list", ...more, "--job", "police", "--grade", "0"],
      city.instance,
    );
    expect(code, stderr).toBe(0);
  }

  async function subscribed(): Promise<LiveClient> {
    const live = await connectLive(city.instance.url, await userToken(city.instance.url, officer));
    live.send({ type: "subscribe", topic: "citizens" });
    await live.seen("subscribed");
    return live;
  }

  /** Milliseconds from the end of the command until the page receives the change; 0 when it came earlier. */
  async function receivedAfter(command: Promise<unknown>, received: Promise<unknown>): Promise<number> {
    const at = received.then(() => performance.now());
    await command;
    const ended = performance.now();
    return Math.max(0, Math.round((await at) - ended));
  }

  test("both succeed, and live pages receive the change within a second", async () => {
    const home = city.home();
    // In rounds, so that the game still sends when the last command ends.
    let sending = true;
    const rounds = (async () => {
      while (sending) await startSender(city.order(home, range, { parallel: 8 })).done;
    })();
    await until("the game sends", () => city.storedIn(range) > 250);

    const live = await subscribed();
    const fields = await receivedAfter(
      role("allow", "--attributes", "fields=job,phone"),
      live.seen("subscribed", ({ mode }) => mode === "snapshot"),
    );
    const denied = await receivedAfter(role("deny"), live.seen("revoked"));
    live.close();
    await role("allow");
    await until(
      "the role applies",
      async () =>
        (await call(city.instance.url, "/api/citizens", { token: await userToken(city.instance.url, officer) })).status === 200,
      heardWithinMs,
    );

    const created = await run(["account", "create", "clerk", "--licence", "clerks-licence"], city.instance);
    expect(created.code, created.stderr).toBe(0);
    const password = /Password: (\S+)/.exec(created.stdout)?.[1] ?? "";
    expect((await call(city.instance.url, "/api/auth/login", { body: { username: "clerk", password } })).status).toBe(200);

    const again = await subscribed();
    const ended = await receivedAfter(run(["account", "reset-password", officer.username], city.instance), again.closed);
    expect((await again.closed).code).toBe(4004);

    sending = false;
    await rounds;
    for (const ms of [fields, denied, ended]) expect(ms).toBeLessThan(heardWithinMs);
    expect(usersOf(range.from, range.to)).toHaveLength(city.storedIn(range));
    expectExactly(city, range);
    print(
      `commands beside the server: fields changed ${fields} ms, right taken ${denied} ms, sessions ended ${ended} ms after the command`,
    );
  });
});

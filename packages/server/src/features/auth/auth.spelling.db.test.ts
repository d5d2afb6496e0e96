import { expect, test } from "vitest";
import { createRole, getRole, putLimits } from "#features/access/access.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { login } from "./auth.contract.ts";

/** Spellings that a database may treat as equal: MariaDB ignores blanks at the end. */
const blanks = [" ", "  ", " ".repeat(20), "\u00A0", "\t", "\u200B", "\u3000"];

describeApps("a name with a blank at its end", (get) => {
  test("does not sign in, and counts as the name without the blank", async () => {
    const { app, world } = get();
    const { username, password } = await world.actor();
    const attempt = async (name: string, tried: string) =>
      await app.request("POST", "/api/auth/login", { body: { username: name, password: tried }, address: "203.0.113.50" });
    const right = await Promise.all(blanks.slice(0, 4).map(async (blank) => await attempt(username + blank, password)));
    expect(right.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await attempt(username + " ".repeat(i + 1), "wrong")).status);
    expect(statuses).toContain(429);
    expect((await app.call(login, { body: { username: username.toUpperCase(), password } })).status).toBe(200);
  });

  test("is not a job", async () => {
    const { app, world } = get();
    const { token } = await world.actor({ groups: ["lead"], jobAdmin: true });
    await world.job("spelt");
    expect((await app.call(createRole, { params: { job: "spelt" }, body: { grade: 1 } }, { token })).status).toBe(200);
    for (const job of [...blanks.slice(0, 5).map((blank) => `spelt${blank}`), " spelt"]) {
      const answers = [
        await app.call(createRole, { params: { job }, body: { grade: 2 } }, { token }),
        await app.call(getRole, { params: { job, grade: 1 } }, { token }),
        await app.call(putLimits, { params: { job }, body: { version: 0, limits: {} } }, { token }),
      ];
      expect([job, answers.map(({ status }) => status)]).toEqual([job, [400, 400, 400]]);
    }
  });
});

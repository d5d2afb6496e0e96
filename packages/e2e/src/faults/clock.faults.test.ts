import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userToken } from "@rollcall/testkit/api.ts";
import { canMoveClock, movableClock } from "@rollcall/testkit/disks.ts";
import { Follower } from "@rollcall/testkit/follower.ts";
import { until } from "@rollcall/testkit/until.ts";
import { print } from "./ingest.scenario.ts";
import { Solo } from "./solo.scenario.ts";

const backWithinMs = 10_000;
const hour = 3600;

/** Jumps of the clock in seconds, one after the other. */
const jumps: readonly (readonly [string, number])[] = [
  ["an hour forwards", hour],
  ["two hours backwards", -hour],
  ["three days forwards", 3 * 24 * hour],
  ["back to the right time", 0],
];

describe.skipIf(!canMoveClock())("a wall clock that jumps", () => {
  let solo: Solo;
  let clock: string;
  let follower: Follower;

  beforeAll(async () => {
    solo = await Solo.start({
      prepare: ({ folder }) => {
        clock = path.join(folder, "clock");
        writeFileSync(clock, "+0");
      },
      // The file is in the instance's folder, so the program knows it by a relative name.
      env: movableClock("clock"),
    });
    follower = new Follower({
      url: solo.instance.url,
      token: async () => await userToken(solo.instance.url, solo.officer),
      read: () =>
        solo.query("select id, version, first_name, last_name from citizens").map((line) => {
          const [id, version, firstName = "", lastName = ""] = line.split("\t");
          return { id: Number(id), version: Number(version), firstName, lastName };
        }),
    });
  });
  afterAll(async () => {
    await follower?.stop();
    await solo?.stop();
  });

  test.each(jumps)("%s: writes, reads and sessions continue", async (name, seconds) => {
    await solo.goesOn(100, backWithinMs);
    const before = solo.acknowledged;
    writeFileSync(clock, `${seconds < 0 ? "" : "+"}${seconds}`);
    const backMs = await solo.backAfter(backWithinMs);
    await solo.goesOn(200, backWithinMs);
    await solo.read();
    const token = await userToken(solo.instance.url, solo.officer);
    expect(token).not.toBe("");
    print(`the clock jumped ${name}: stored again after ${backMs} ms, ${solo.acknowledged - before} users since`);
  });

  test("loses and duplicates nothing, and runs no schedule twice for one time", async () => {
    await solo.expectWhole({
      group: "clocks",
      fault: "wall clock an hour forwards, two back, three days forwards, right again",
    });
    await follower.settled();
    expect(follower.gaps).toEqual([]);
    const running = () => solo.query("select count(*) as n from job_runs where outcome in ('running', 'requested')")[0];
    await until("no job is under way", () => running() === "0");
    const runs = solo.query("select job, count(*) as n from job_runs where outcome = 'lost' group by job");
    expect(runs, "runs without an outcome").toEqual([]);
  });
});

import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { JobTables } from "#features/jobs/jobs.schema.ts";
import { describeApps } from "./suite.ts";
import { writtenTable } from "./writes.ts";

test("the written table of a statement", () => {
  const of = (sql: string) => writtenTable(sql);
  expect([of("insert into `jobs` (`a`) values (?)"), of('insert or ignore into "jobs" values (?)')]).toEqual(["jobs", "jobs"]);
  expect([of("insert ignore into `jobs` values (?)"), of("replace into jobs values (?)")]).toEqual(["jobs", "jobs"]);
  expect([of('update "jobs" set a = 1'), of("delete from `jobs` where a = 1")]).toEqual(["jobs", "jobs"]);
  expect([of("select * from jobs for update"), of("with x as (select 1) select * from x")]).toEqual([null, null]);
});

describeApps("the observer of writes", (get) => {
  test("names the tables of committed changes, not those of rolled back or empty ones", async () => {
    const { app, writes, world } = get();
    const { db } = app.process.container;
    await world.job("seen");
    const written = writes();
    const relabel = (label: string, name: string) =>
      db.write("test.relabel", async (tx) => {
        await queries<JobTables>(tx).updateTable("jobs").set({ label }).where("name", "=", name).execute();
        if (label === "refused") throw new Error(label);
      });
    await expect(relabel("refused", "seen")).rejects.toThrow("refused");
    await relabel("of nobody", "no such job");
    expect(written.tables()).toEqual([]);
    await relabel("Seen", "seen");
    expect(written.tables()).toEqual(["jobs"]);
    written.reset();
    expect(written.tables()).toEqual([]);
  });
});

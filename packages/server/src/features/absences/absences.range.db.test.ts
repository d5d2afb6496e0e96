import { sql } from "kysely";
import { expect, test } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { dayFromNow } from "#testkit/days.ts";
import { describeApps } from "#testkit/suite.ts";
import { getCapacity, kindLimits } from "./absences.contract.ts";
import { present, spansWithin } from "./absences.repo.ts";
import { absences, type AbsenceTables } from "./absences.schema.ts";
import { addKind, managerRights, mustAsk, newJob } from "./absences.testkit.ts";

const day = 86_400_000;

describeApps("absences of a time", (get) => {
  /** Rows that this connection has read from an index so far; MariaDB alone counts them. */
  async function readSoFar(tx: Tx): Promise<number> {
    if (get().kind === "sqlite") return 0;
    const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read_next'`.execute(
      queries<AbsenceTables>(tx),
    );
    return Number(rows[0]?.Value);
  }

  test("far back are found without a look at those of today", async () => {
    const { db, ports } = get().app.process.container;
    const job = newJob("range");
    const now = ports.clock.now();
    const rows = Array.from({ length: 600 }, (_, at) => ({
      ...{ job, citizen_id: at + 1, kind_id: null, from_at: now - day, until_at: now + at * 1000 },
      ...{ first_day: "2026-11-01", last_day: "2026-11-02", reason: null, substitute_id: null, state: "approved" },
      ...{ requested_by: null, decided_by: null, decided_at: null, decision_reason: null, version: 1, created_at: now },
    }));
    await db.write("test.fill", async (tx) => await bulkInsert(tx, absences, rows));
    await db.read("test.read", async (tx) => {
      const before = await readSoFar(tx);
      const long = { from: now - 9000 * day, until: now - 8970 * day };
      expect([await spansWithin(tx, job, long), await present(tx, { job }, long, 100)]).toEqual([[], []]);
      expect((await readSoFar(tx)) - before).toBeLessThan(20);
    });
  });

  test("are found also where they are as long as any may be", async () => {
    const { app, world } = get();
    const boss = await world.actor({ job: newJob("long"), rights: managerRights });
    const { mostDays, daysAhead } = kindLimits;
    const { id } = await addKind(get(), boss, { needsApproval: false, mostDays, daysAhead });
    await mustAsk(get(), boss, [1, mostDays], { kindId: id });
    const absentOn = async (count: number) => {
      const query = { firstDay: dayFromNow(get(), count), lastDay: dayFromNow(get(), count) };
      return (await app.call(getCapacity, { query }, { token: boss.token })).output.days.length;
    };
    expect([await absentOn(0), await absentOn(1), await absentOn(mostDays), await absentOn(mostDays + 1)]).toEqual([0, 1, 1, 0]);
  });
});

import { describe, expect, test } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import { positionOf } from "#core/paging.ts";
import { offered, team } from "#features/assignments/assignments.testkit.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { callsOrders, cancelCall, completeCall, createCall, listCalls } from "./calls.contract.ts";
import * as repo from "./calls.repo.ts";
import { calls, callsJobs, callsList, type CallsTables } from "./calls.schema.ts";
import { dispatcher, helps, mustCall } from "./calls.testkit.ts";

const day = 86_400_000;

describeApps("the archive of calls", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const found = async (who: TestActor, query: object) => {
    const { output } = await get().app.call(listCalls, { query: { order: "createdAt", ...query } }, as(who));
    return output.items.map(({ id }) => id);
  };
  const change = async (id: number, values: Partial<Pick<CallRow, "created_at" | "postal">>) =>
    await get().app.process.container.db.write("test.change", async (tx) => {
      await queries<CallsTables>(tx).updateTable("calls").set(values).where("id", "=", id).execute();
    });
  type CallRow = { created_at: number; postal: string | null };

  test("has ended calls, by state, type of end, days, postal code, other job and unit", async () => {
    const { app } = get();
    const of = await team(get(), 2);
    const other = await dispatcher(get());
    const make = async (message: string) => await mustCall(get(), of.lead, { jobs: [of.job], message });
    const [open, done, gone] = [await make("Noise"), await make("Robbery"), await make("Fire")];
    await offered(get(), of, done, of.units[0], true);
    const { version } = (await app.call(listCalls, { query: { q: `DSP-${done.id}` } }, as(of.lead))).output.items[0]!;
    const outcome = "Two zanzibaris arrested";
    const completed = await app.call(completeCall, { params: { id: done.id }, body: { version, outcome } }, as(of.lead));
    expect(completed.status).toBe(200);
    await app.call(cancelCall, { params: { id: gone.id }, body: { version: gone.version, reason: "Mistake" } }, as(of.lead));
    await helps(get(), gone.id, other.job);
    await change(done.id, { postal: "204", created_at: Date.parse("2026-03-10T12:00:00Z") });
    const all = [done.id, gone.id];
    expect(await found(of.lead, { state: "ended" })).toEqual(all);
    expect(await found(of.lead, { state: "ended", order: "-endedAt" })).toEqual(all.toReversed());
    expect(await found(of.lead, { state: "cancelled" })).toEqual([gone.id]);
    expect(await found(of.lead, { state: "ended", q: "zanzibaris" })).toEqual([done.id]);
    expect(await found(of.lead, { state: "ended", q: "noise" })).toEqual([]);
    expect(await found(of.lead, { postal: "204" })).toEqual([done.id]);
    expect(await found(of.lead, { job: other.job })).toEqual([gone.id]);
    expect(await found(other, { job: of.job })).toEqual([gone.id]);
    expect(await found(of.lead, { unitId: of.units[0]!.id })).toEqual([done.id]);
    expect(await found(of.lead, { unitId: of.units[1]!.id })).toEqual([]);
    expect(await found(other, { unitId: of.units[0]!.id })).toEqual([]);
    expect(await found(of.lead, { from: "2026-03-10", until: "2026-03-10" })).toEqual([done.id]);
    expect(await found(of.lead, { until: "2026-03-09" })).toEqual([]);
    expect(await found(of.lead, { from: "2026-03-11" })).toEqual([open.id, gone.id]);
    const wrong = await app.call(listCalls, { query: { from: "2026-02-31" } }, as(of.lead));
    expect([wrong.status, wrong.body.code]).toEqual([400, "system.invalidInput"]);
  });

  test("finds nobody by the name of a caller, anonymous or not", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const named = await world.actor({ job: who.job, grade: 1 });
    const token = await world.tokenOf(named);
    for (const anonymous of [true, false]) {
      const body = { typeId: null, message: anonymous ? "Quiet" : "Loud", jobs: [who.job], anonymous };
      expect((await app.call(createCall, { body }, { token })).status).toBe(200);
    }
    const lastName = /^actor(\d+)$/.exec(named.username)![1]!;
    expect(await found(who, { q: `Or${lastName}` })).toEqual([]);
    const { results } = (await app.call(searchAll, { query: { q: `Or${lastName}` } }, as(who))).output;
    expect(results.filter(({ kind }) => kind === "calls")).toEqual([]);
  });

  describe("of 10,000 calls", () => {
    const begin = Date.parse("2026-01-01T00:00:00Z");
    let full: Awaited<ReturnType<typeof dispatcher>> | undefined;
    const filters = [
      {},
      { from: "2026-03-10", until: "2026-03-12" },
      { postal: "204" },
      { priority: 2 },
      { unitId: 1 },
      { q: "nothing of that kind" },
    ];

    test("a page is read in a constant number of statements", { timeout: 120_000 }, async () => {
      const { app, kind } = get();
      const who = await dispatcher(get());
      full = who;
      const { db } = app.process.container;
      const first = await mustCall(get(), who, { jobs: [who.job] });
      await db.write("test.fill", async (tx) => {
        const { id: _id, ...row } = (await queries<CallsTables>(tx)
          .selectFrom("calls")
          .selectAll()
          .where("id", "=", first.id)
          .executeTakeFirst())!;
        const at = (n: number) => begin + n * (day / 100);
        const rows = Array.from({ length: 10_000 }, (_one, n) => ({
          ...row,
          id: 1_000_000 + n,
          state: n % 3 === 0 ? "cancelled" : "completed",
          priority: 1 + (n % 5),
          postal: String(n % 400),
          created_at: at(n),
          ended_at: at(n) + 1000,
          archived_at: at(n) + 2000,
        }));
        await bulkInsert(tx, calls, rows);
        const job = { level: "dispatch", min_grade: 0, expires_at: null, position: 0 };
        await bulkInsert(
          tx,
          callsJobs,
          // Of a job with a quarter of all calls, MariaDB rightly reads the table to count them.
          rows.map(({ id }) => ({ ...job, job: id % 10 === 0 ? who.job : "another", call_id: id })),
        );
      });
      await db.exclusive("test.analyze", async ({ connection }) => {
        await connection.execute(kind === "mariadb" ? "analyze table calls, calls_jobs" : "analyze", []);
      });
      let count = 0;
      db.observe(({ unit }) => {
        if (unit === listCalls.id) count += 1;
      });
      const costs: number[] = [];
      for (const order of callsOrders.names)
        for (const filter of filters) {
          const before = count;
          const query = { state: "ended" as const, order: `-${order}` as const, limit: 20, ...filter };
          const answer = await app.call(listCalls, { query }, as(who));
          expect(answer.status).toBe(200);
          costs.push(count - before);
        }
      expect(Math.max(...costs)).toBeLessThanOrEqual(18);
    });

    test("no page and no count of them scans a table", async () => {
      const { app, kind } = get();
      const seeing = { job: full!.job, grade: 1, now: Date.now(), crewOf: [] };
      const narrowings: repo.CallsFilter[] = [
        {},
        { from: begin + day, before: begin + 3 * day },
        { postal: "204" },
        { priority: 2 },
        { ofUnit: [1_000_001, 1_000_002] },
        { ids: [1_000_003] },
        { job: full!.job },
      ];
      const plans = await app.process.container.db.exclusive("test.plan", async (session) => {
        const sent: [string, readonly unknown[]][] = [];
        const { connection } = session;
        const execute = connection.execute.bind(connection);
        const unit = session.unit("test.plan");
        connection.execute = async (text, params) => {
          sent.push([text, params ?? []]);
          return await execute(text, params);
        };
        try {
          for (const order of callsOrders.names)
            for (const filter of narrowings) {
              const position = positionOf(callsList, { order: `-${order}` });
              await repo.listRows(unit.tx, seeing, { state: "ended", ...filter }, { position, limit: 21 });
              await repo.countRows(unit.tx, seeing, { state: "ended", ...filter }, 10_001);
            }
        } finally {
          connection.execute = execute;
          unit.end();
        }
        const found: string[] = [];
        for (const [text, params] of sent) {
          const { rows } = await execute(`${kind === "sqlite" ? "explain query plan" : "explain"} ${text}`, params);
          for (const row of rows)
            found.push(kind === "sqlite" ? String(row["detail"]) : `${String(row["type"])} ${String(row["table"])}`);
        }
        return found;
      });
      expect(plans.length).toBeGreaterThan(40);
      const scan = kind === "sqlite" ? /^SCAN calls\S*$/ : /^ALL (calls|further)/;
      expect(plans.filter((step) => scan.test(step))).toEqual([]);
    });
  });
});

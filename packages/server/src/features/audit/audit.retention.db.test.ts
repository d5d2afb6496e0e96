import { expect, test } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import { createRetentionRunner } from "#infra/schedules/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { noMetrics, silentLog } from "#testkit/silence.ts";
import { auditRetention, auditRetentionOf } from "./audit.schedules.ts";
import { AuditRecorder } from "./audit.record.service.ts";
import { AuditSearch } from "./audit.search.service.ts";
import { AuditRetention } from "./audit.retention.service.ts";
import { auditEntries, type AuditTables } from "./audit.schema.ts";

const day = 24 * 60 * 60_000;
const rows = process.env["ROLLCALL_TEST_FACTOR"] !== undefined ? 200_000 : 10_000;

describeDatabases("audit retention", (get) => {
  test(
    `of ${rows} entries aged 89 and 91 days one run leaves exactly the younger ones, while others write`,
    { timeout: 300_000 },
    async () => {
      const { db, clock } = get();
      const now = clock.now();
      const entries = Array.from({ length: rows }, (_row, i) => ({
        at: now - (i % 2 === 0 ? 89 : 91) * day,
        actor_kind: "system",
        actor_name: "test",
        action: i % 2 === 0 ? "test.younger" : "test.older",
        result: "ok",
      }));
      for (let from = 0; from < rows; from += 10_000) {
        await db.write("test.seed", async (tx) => void (await bulkInsert(tx, auditEntries, entries.slice(from, from + 10_000))));
      }
      const recorder = new AuditRecorder({
        db,
        clock,
        log: silentLog,
        declares: () => true,
        declaresObject: () => true,
        search: new AuditSearch(),
      });
      const runner = createRetentionRunner({
        db,
        clock,
        log: silentLog,
        metrics: noMetrics,
        record: async (...args) => await recorder.record(...args),
      });
      const prune = async () =>
        (await runner.run(auditRetentionOf(new AuditRetention(), 90), actor, new AbortController().signal)).get("entries");
      const actor = { kind: "system", name: "test" } as const;
      let [done, written, slowest] = [false, 0, 0];
      const writing = (async () => {
        while (!done) {
          const began = performance.now();
          await db.write("test.write", async (tx) => await recorder.record(tx, actor, { action: "test.meanwhile" }));
          slowest = Math.max(slowest, performance.now() - began);
          written += 1;
        }
      })();
      const began = performance.now();
      const removed = await prune();
      const pruned = performance.now() - began;
      done = true;
      await writing;
      expect(removed).toBe(rows / 2);
      // One statement that deletes them all takes as long as the whole run.
      expect(slowest).toBeLessThan(Math.max(2000, pruned / 2));
      const left = await db.read(
        "test.left",
        async (tx) =>
          await queries<AuditTables>(tx)
            .selectFrom("audit_entries")
            .select(["action", (e) => e.fn.countAll<number>().as("n")])
            .groupBy("action")
            .orderBy("action")
            .execute(),
      );
      expect(left.map(({ action, n }) => [action, Number(n)])).toEqual([
        ["audit.retention", Math.ceil(rows / 2 / auditRetention.steps.entries.atOnce)],
        ["test.meanwhile", written],
        ["test.younger", rows / 2],
      ]);
      expect(written).toBeGreaterThan(0);
      expect(await prune()).toBe(0);
    },
  );
});

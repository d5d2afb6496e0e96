import { Type } from "typebox";
import { expect, it } from "vitest";
import { defineEvent } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import { reactTo } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { installationOf } from "#infra/installation/index.ts";
import type { ScheduleTables } from "#infra/schedules/schedules.schema.ts";
import { generationOf } from "#infra/outbox/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { finishRestore } from "./settle.ts";

type Tables = InfrastructureTables & ScheduleTables;
const moved = defineEvent({ id: "people.moved", version: 1, payload: Type.Object({}) });

describeDatabases("a restored database", (get) => {
  it("publishes unhandled events, ends runs and leases, and gets a new stream and id", async () => {
    const { db } = get();
    const event = (event_id: string, type: string, sent_at: number | null) => ({
      event_id,
      type,
      sent_at,
      schema_version: 1,
      agg_key: "1",
      version: 1,
      payload: "{}",
      created_at: 1,
      claimed_by: "a dead relay",
      claimed_until: 9,
    });
    await db.write("test.fill", async (tx) => {
      const q = queries<Tables>(tx);
      await q
        .insertInto("outbox_events")
        .values([
          event("handled", moved.id, 5),
          event("half", moved.id, 5),
          event("fresh", moved.id, null),
          event("shown", "people.shown", 5),
        ])
        .execute();
      const handled = [
        ["first", "handled"],
        ["second", "handled"],
        ["first", "half"],
      ].map(([consumer = "", event_id = ""]) => ({ consumer, event_id, handled_at: 1 }));
      await q.insertInto("outbox_inbox").values(handled).execute();
      await q.insertInto("leases").values({ name: "job.x", owner: "me", token: 7, expires_at: 9e15, touched: 0 }).execute();
      const run = (outcome: string) => ({ job: "x", owner: "me", started_at: 1, finished_at: null, outcome, message: null });
      await q
        .insertInto("job_runs")
        .values([run("running"), run("requested"), run("waiting")])
        .execute();
    });
    const reactions = ["first", "second"].map((consumer) => reactTo({ consumer, event: moved, handle: async () => undefined }));
    expect(await db.read("test.before", generationOf)).toBeNull();
    await db.write(
      "test.settle",
      async (tx) => await finishRestore(tx, { generation: "GEN1", installation: "ID1", at: 100, reactions }),
    );
    await db.write(
      "test.again",
      async (tx) => await finishRestore(tx, { generation: "GEN2", installation: "ID2", at: 200, reactions }),
    );
    const found = await db.read("test.read", async (tx) => {
      const q = queries<Tables>(tx);
      return {
        generation: await generationOf(tx),
        installation: await installationOf(tx),
        events: await q.selectFrom("outbox_events").select(["event_id", "sent_at", "claimed_by"]).orderBy("id").execute(),
        leases: await q.selectFrom("leases").select(["token", "expires_at"]).execute(),
        runs: await q.selectFrom("job_runs").select(["outcome", "finished_at"]).orderBy("id").execute(),
      };
    });
    expect(found).toEqual({
      generation: "GEN2",
      installation: "ID2",
      events: [
        { event_id: "handled", sent_at: 5, claimed_by: null },
        { event_id: "half", sent_at: null, claimed_by: null },
        { event_id: "fresh", sent_at: null, claimed_by: null },
        { event_id: "shown", sent_at: 5, claimed_by: null },
      ],
      leases: [{ token: 7, expires_at: 0 }],
      runs: [
        { outcome: "stopped", finished_at: 100 },
        { outcome: "stopped", finished_at: 100 },
        { outcome: "waiting", finished_at: null },
      ],
    });
  });
});

import { Type } from "typebox";
import { expect, it } from "vitest";
import { defineEvent } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import { reactTo } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { ensureInstallation, assignInstallationId, installationOf } from "./identity.ts";

const moved = defineEvent({ id: "people.moved", version: 1, payload: Type.Object({}) });
const reactions = ["first", "second"].map((consumer) => reactTo({ consumer, event: moved, handle: async () => undefined }));

describeDatabases("the id of an installation", (get) => {
  it("is the same for processes that start concurrently, and stays", async () => {
    const { db, ids, clock, open } = get();
    expect(await db.read("test.before", installationOf)).toBeNull();
    const starts = Array.from({ length: 8 }, async () => await ensureInstallation({ db: open(), ids, clock, reactions }));
    const agreed = new Set(await Promise.all(starts));
    expect([...agreed]).toEqual([expect.stringMatching(/^[0-9A-Z]{26}$/)]);
    expect(await ensureInstallation({ db, ids, clock, reactions })).toBe([...agreed][0]);
    expect(await db.read("test.after", installationOf)).toBe([...agreed][0]);
  });

  it("resends events that a reaction has not handled, and no others", async () => {
    const { db, ids, clock } = get();
    const event = (event_id: string, type: string) => ({
      event_id,
      type,
      schema_version: 1,
      agg_key: "1",
      version: 1,
      payload: "{}",
      created_at: 1,
      sent_at: 5,
    });
    const answered = (consumer: string, event_id: string) => ({ consumer, event_id, handled_at: 1 });
    await db.write("test.fill", async (tx) => {
      const q = queries<InfrastructureTables>(tx);
      const events = [event("all", moved.id), event("half", moved.id), event("none", moved.id), event("shown", "people.shown")];
      await q.insertInto("outbox_events").values(events).execute();
      const inbox = [answered("first", "all"), answered("second", "all"), answered("first", "half")];
      await q.insertInto("outbox_inbox").values(inbox).execute();
    });
    const unsent = async () =>
      await db.read("test.unsent", async (tx) => {
        const rows = await queries<InfrastructureTables>(tx)
          .selectFrom("outbox_events")
          .select("event_id")
          .where("sent_at", "is", null)
          .orderBy("id")
          .execute();
        return rows.map((row) => row.event_id);
      });
    const first = await ensureInstallation({ db, ids, clock, reactions });
    expect(await unsent()).toEqual(["half", "none"]);
    const sent = async () =>
      await db.write("test.sent", async (tx) => {
        await queries<InfrastructureTables>(tx).updateTable("outbox_events").set({ sent_at: 6 }).execute();
      });
    await sent();
    await ensureInstallation({ db, ids, clock, reactions });
    expect(await unsent()).toEqual([]);
    const id = ids.next();
    await db.write("test.give", async (tx) => await assignInstallationId(tx, { id, at: 7, reactions }));
    expect(await unsent()).toEqual(["half", "none"]);
    expect([await db.read("test.id", installationOf), id === first]).toEqual([id, false]);
  });
});

import { expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { queries } from "#core/db/index.ts";
import type { Database } from "#core/ports/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { watchDatabase } from "#testkit/idle.ts";
import { silentLog } from "#testkit/silence.ts";
import { AuditRecorder } from "./audit.record.service.ts";
import type { AuditTables } from "./audit.schema.ts";
import { AuditSearch } from "./audit.search.service.ts";

const minute = 60_000;

describeDatabases("views of an object", (get) => {
  const viewer: Actor = { kind: "link", linkId: 1, link: "l", subject: "s", label: "Mara", address: "::1", traceId: "0123" };
  const view = (id: number) => ({ action: "vehicles.view", object: { kind: "vehicle", id } }) as const;
  const newRecorder = (db: Database = get().db) =>
    new AuditRecorder({
      db,
      clock: get().clock,
      log: silentLog,
      declares: () => true,
      declaresObject: () => true,
      search: new AuditSearch(),
    });
  const counts = async () =>
    await get().db.read("test", async (tx) => {
      const rows = queries<AuditTables>(tx).selectFrom("audit_entries").select(["object_id", "folded"]).orderBy("id");
      return (await rows.execute()).map(({ object_id, folded }) => [object_id, folded]);
    });

  test("at the same instant are one entry, which is there before any of them is answered", async () => {
    const recorder = newRecorder();
    const answered = await Promise.all(
      Array.from({ length: 20 }, async () => {
        await recorder.noteView(viewer, view(7));
        return (await counts()).length;
      }),
    );
    expect(new Set(answered)).toEqual(new Set([1]));
    await recorder.flush();
    expect(await counts()).toEqual([["7", 20]]);
  });

  test("that cannot be written are refused, and the next one is the first", async () => {
    const { db } = get();
    let isBroken = true;
    const recorder = newRecorder({
      ...watchDatabase(db),
      write: async (name, work) => {
        if (isBroken) throw new Error("the database is away");
        return await db.write(name, work);
      },
    });
    const refused = await Promise.allSettled([1, 2].map(async () => await recorder.noteView(viewer, view(7))));
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isBroken = false;
    await recorder.noteView(viewer, view(7));
    await recorder.flush();
    expect(await counts()).toEqual([["7", 1]]);
  });

  test("that are repeated are counted each minute, whether or not anybody opens another object", async () => {
    const { clock } = get();
    const db = watchDatabase(get().db);
    const recorder = newRecorder(db);
    for (let i = 0; i < 3; i += 1) await recorder.noteView(viewer, view(7));
    expect(await counts()).toEqual([["7", 1]]);
    await clock.advance(minute);
    await db.idle();
    expect(await counts()).toEqual([["7", 3]]);
    await recorder.flush();
  });

  test("that cannot be counted are counted in the next minute", async () => {
    const { clock } = get();
    const db = watchDatabase(get().db);
    let isBroken = false;
    const recorder = newRecorder({
      ...db,
      write: async (name, work) => {
        if (isBroken) throw new Error("the database is away");
        return await db.write(name, work);
      },
    });
    for (let i = 0; i < 3; i += 1) await recorder.noteView(viewer, view(7));
    isBroken = true;
    await clock.advance(minute);
    isBroken = false;
    await recorder.noteView(viewer, view(7));
    await clock.advance(minute);
    await db.idle();
    expect(await counts()).toEqual([["7", 4]]);
    await recorder.flush();
  });

  test("are forgotten after the hour, with the timer that counts them", async () => {
    const { clock } = get();
    const waiting = clock.waiting;
    const recorder = newRecorder();
    for (let id = 1; id <= 5; id += 1) await recorder.noteView(viewer, view(id));
    await recorder.noteView(viewer, view(1));
    await clock.advance(59 * minute);
    expect(clock.waiting).toBe(waiting + 1);
    await clock.advance(minute + 1);
    expect(clock.waiting).toBe(waiting);
    await recorder.flush();
    await recorder.noteView(viewer, view(1));
    await recorder.flush();
    expect((await counts()).filter(([id]) => id === "1")).toEqual([
      ["1", 2],
      ["1", 1],
    ]);
  });

  test("of several processes are one entry, whose hour begins with the first of them", async () => {
    const { clock } = get();
    const [one, other] = [newRecorder(), newRecorder()];
    await one.noteView(viewer, view(7));
    await clock.advance(50 * minute);
    await other.noteView(viewer, view(7));
    expect(await counts()).toEqual([["7", 2]]);
    await clock.advance(11 * minute);
    await other.noteView(viewer, view(7));
    await one.flush();
    await other.flush();
    expect(await counts()).toEqual([
      ["7", 2],
      ["7", 1],
    ]);
  });
});

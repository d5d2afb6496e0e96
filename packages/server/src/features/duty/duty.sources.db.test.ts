import { expect, it } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { bulkInsert, queries } from "#core/db/index.ts";
import { days } from "#core/contract/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { pruneSources } from "./duty.repo.ts";
import { dutyPeople, dutySources, type DutyTables } from "./duty.schema.ts";
import { DutyService } from "./duty.service.ts";
import { DutyStore } from "./duty.store.service.ts";

const sourceOf = (source: string, at: number) => ({
  ...{ source, sends_events: 1 as const, boot: null, boot_count: 0, boot_since: null, boot_from: null },
  ...{ earlier_boots: "[]", last_call_at: at, silent_from: null, behind_ms: null },
});

const personOf = (id: number, source: string, job: string | null, at: number) => ({
  ...{ citizen_id: id, licence: "", job, grade: 1, start_grade: 1, since: at, started_by: "game", source, boot_count: 0 },
  ...{ seen_at: at, missing_at: null, unnamed_since: null, ended_at: 0, applied_at: at, version: 1 },
});

describeDatabases("the sources of duty", (get) => {
  const viewer = { job: "police", jobAdmin: { reason: "", until: 1 } } as unknown as Viewer;

  it("are read of those on duty alone, however many have called, and removed when nobody is on duty by them", async () => {
    const { db, clock, statements } = get();
    const now = clock.now();
    const old = now - days(40);
    await db.write("test.sources", async (tx) => {
      const names = Array.from({ length: 300 }, (_none, i) => sourceOf(`flood-${i}`, now));
      await bulkInsert(tx, dutySources, [...names, sourceOf("city", now), sourceOf("works", old), sourceOf("left", old)]);
      await bulkInsert(tx, dutyPeople, [
        personOf(1, "city", "police", now),
        personOf(2, "works", "police", old),
        personOf(3, "left", null, old),
      ]);
    });
    const labels = { badge: (name: string, grade: number) => ({ name, label: name, grade, gradeLabel: "" }) };
    const jobs = { labels: async () => labels } as never;
    const store = new DutyStore({ clock, jobs, outbox: null as never, tasks: null as never });
    const service = new DutyService({ db, clock, store, signs: null as never });
    statements.reset();
    const { items } = await service.list(viewer, {});
    expect(items.map(({ id, state }) => [id, state]).toSorted()).toEqual([
      [1, "on"],
      [2, "on"],
    ]);
    await db.read("test.in", async (tx) => await service.api.in(tx, null));
    const read = statements.events.map(({ sql }) => sql).filter((text) => text.includes("duty_sources"));
    expect(read.filter((text) => !text.includes("where"))).toEqual([]);
    expect(read).toHaveLength(2);
    await db.write("test.prune", async (tx) => await pruneSources(tx, now - days(30), 10));
    const kept = await db.read("test.kept", async (tx) => {
      return await queries<DutyTables>(tx)
        .selectFrom("duty_sources")
        .select("source")
        .where("source", "not like", "flood%")
        .execute();
    });
    expect(kept.map(({ source }) => source).toSorted()).toEqual(["city", "works"]);
  });
});

import { expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import type { CitizenTables } from "#features/citizens/citizens.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { createPeople, DutyWorkers, identifierOf } from "./duty.workers.testkit.ts";

describeDatabases("a job that the game names as off duty", (get) => {
  it("ends the duty at that instant, and none that began after it", async () => {
    const { db, clock } = get();
    const people = [1, 2].map((id) => ({ id, licence: `late-${id}`, jobs: ["police"] }));
    await createPeople(get(), people);
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const { reports, service } = workers.next;
    const on = async (id: number) => {
      const item = { identifier: identifierOf(id), event: "on" as const, job: "police", at: clock.now(), key: `on-${id}` };
      await reports.sync({} as never, { source: "late", items: [item] });
    };
    await on(1);
    await clock.advance(10_000);
    const saidAt = clock.now();
    await db.write("test.off", async (tx) => {
      await queries<CitizenTables>(tx).updateTable("citizens_jobs").set({ off_duty: 1 }).execute();
    });
    await clock.advance(10_000);
    await on(2);
    await db.write("test.late", async (tx) => {
      const items = people.map(({ id }) => ({ id, updatedAt: saidAt, deleted: false }));
      const changed = people.map(({ id }) => ({ id, parts: ["jobs" as const] }));
      const offDuty = people.map(({ id }) => ({ id, jobs: ["police"] }));
      await service.jobsChanged(tx, { items, changed, offDuty });
    });
    expect(workers.ended).toMatchObject([{ citizenId: 1, to: saidAt }]);
    expect((await workers.next.present(2))?.deleted).toBe(false);
    await workers.stop();
  });
});

describeDatabases("a late beginning in a job that somebody does not hold any more", (get) => {
  it("does not end the duty of now", async () => {
    const { clock } = get();
    await createPeople(get(), [{ id: 1, licence: "gone", jobs: ["ambulance"] }]);
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const { reports, signs } = workers.next;
    const sign = { citizenId: 1, licence: "gone", job: "ambulance", grade: 0, named: null, offDuty: false, remove: false };
    await signs.seen("late", "boot", [sign]);
    const late = { identifier: identifierOf(1), event: "on" as const, job: "police", at: clock.now() - 1, key: "late" };
    const { rejected } = await reports.sync({} as never, { source: "late", boot: "boot", items: [late] });
    expect(rejected).toEqual([]);
    expect((await workers.next.present(1))?.job.name).toBe("ambulance");
    expect(workers.ended).toEqual([]);
    await workers.stop();
  });
});

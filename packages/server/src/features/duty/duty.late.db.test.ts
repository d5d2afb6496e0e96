import { expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import type { CitizenChange } from "#features/citizens/citizens.contract.ts";
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
      const items = people.map(({ id }) => ({ id, updatedAt: saidAt, deleted: false }) as CitizenChange);
      const changed = people.map(({ id }) => ({ id, parts: ["jobs" as const] }));
      await service.jobsChanged(tx, items, changed);
    });
    expect(workers.ended).toMatchObject([{ citizenId: 1, to: saidAt }]);
    expect((await workers.next.present(2))?.deleted).toBe(false);
    await workers.stop();
  });
});

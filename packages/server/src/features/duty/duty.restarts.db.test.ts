import { expect, it } from "vitest";
import { describeDatabases } from "#testkit/database.ts";
import { createPeople, DutyWorkers, identifierOf } from "./duty.workers.testkit.ts";

const minute = 60_000;

describeDatabases("a game server that starts again and again", (get) => {
  it("keeps nobody on duty whom no start named for five minutes, and everybody whom one named", async () => {
    const { clock } = get();
    await createPeople(
      get(),
      [1, 2].map((id) => ({ id, licence: `loop-${id}`, jobs: ["police"] })),
    );
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const on = async (id: number, boot: string) => {
      const item = { identifier: identifierOf(id), event: "on" as const, job: "police", at: clock.now(), key: `${boot}-${id}` };
      await workers.next.reports.sync({} as never, { source: "loop", boot, items: [item] });
    };
    await on(1, "boot");
    await on(2, "boot");
    const sign = { citizenId: 2, licence: "loop-2", job: "police", grade: 0, named: null, offDuty: false, remove: false };
    for (let i = 0; i < 14; i += 1) {
      await workers.pass(minute / 2);
      await workers.next.signs.seen("loop", `boot-${i}`, [sign]);
    }
    expect(workers.ended).toMatchObject([{ citizenId: 1, estimated: true }]);
    expect((await workers.next.present(1))?.deleted ?? true).toBe(true);
    expect((await workers.next.present(2))?.deleted).toBe(false);
    await workers.stop();
  });
});

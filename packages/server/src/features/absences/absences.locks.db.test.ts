import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { dialectOf, queries } from "#core/db/index.ts";
import { approveRequest, listApprovals } from "#features/approvals/approvals.contract.ts";
import { dayFromNow } from "#testkit/days.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { cancelAbsence, enterAbsence, listOwn } from "./absences.contract.ts";
import { lockRules } from "./absences.kinds.repo.ts";
import { find } from "./absences.repo.ts";
import { addKind, managerRights, mustAsk, newJob } from "./absences.testkit.ts";

/** Tables of other features, as far as these tests lock and change them. */
interface Others {
  approvals_requests: { id: number };
  citizens_jobs: { citizen_id: number; job: string; grade: number };
}

describeApps("absences that several people change at once", (get) => {
  const as = ({ token }: TestActor) => ({ token });

  async function team() {
    const { world } = get();
    const job = newJob("locks");
    await world.job(job, [0, 1, 2]);
    const member = await world.actor({ job, grade: 1 });
    const rights = { ...managerRights, "absences.enter": { whose: ["any"] } };
    const leader = await world.actor({ job, grade: 2, rights });
    return { job, member, leader, kind: await addKind(get(), leader) };
  }

  /** Units of work that were repeated after a deadlock, so far. */
  async function repeats(): Promise<number> {
    const text = await get().app.process.container.metrics.expose();
    return Number(/^rollcall_database_repeats_total\{reason="deadlock"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  /** The request about the only absence that waits for somebody. */
  async function requestFor(actor: TestActor): Promise<{ id: number; version: number }> {
    const { output } = await get().app.call(listApprovals, { query: { list: "waiting" } }, as(actor));
    return { id: output.items[0]!.id, version: output.items[0]!.version };
  }
  const approve = async (actor: TestActor, { id, version }: { id: number; version: number }) =>
    await get().app.call(approveRequest, { params: { id }, body: { version } }, as(actor));
  const cancel = async (actor: TestActor, id: number) =>
    await get().app.call(cancelAbsence, { params: { id }, body: { version: 1 } }, as(actor));

  test("are locked before their requests, also on the page of requests", async () => {
    const { member, leader, kind } = await team();
    const { db } = get().app.process.container;
    const { id } = await mustAsk(get(), member, [1, 1], { kindId: kind.id });
    const request = await requestFor(leader);
    const before = await repeats();
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const first = db.write("test.cancel", async (tx) => {
      await find(tx, id);
      locked();
      // In this time the decision arrives and waits.
      await pause(300);
      await dialectOf(tx)
        .lock(queries<Others>(tx).selectFrom("approvals_requests").select("id").where("id", "=", request.id))
        .execute();
    });
    await isLocked;
    const decided = approve(leader, request);
    await first;
    expect((await decided).status).toBe(200);
    expect(await repeats()).toBe(before);
  });

  test("end in one way when they are approved and cancelled at once, again and again", async () => {
    const { member, leader, kind } = await team();
    const before = await repeats();
    for (let round = 0; round < 25; round += 1) {
      const { id } = await mustAsk(get(), member, [round + 1, round + 1], { kindId: kind.id });
      const request = await requestFor(leader);
      const answers = await Promise.all([approve(leader, request), cancel(member, id)]);
      const { output } = await get().app.call(listOwn, { query: { limit: 1 } }, as(member));
      const outcome = [answers[0].status, answers[1].status, output.items[0]?.state];
      // Approved first, the version of the cancellation is stale; cancelled first, nobody decides any more.
      expect([
        [200, 409, "approved"],
        [409, 200, "cancelled"],
      ]).toContainEqual(outcome);
    }
    expect(await repeats()).toBe(before);
  });

  test("are judged by the job as it is when their turn comes, not by what was read before", async () => {
    const { job, member, leader } = await team();
    const { db } = get().app.process.container;
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const first = db.write("test.promote", async (tx) => {
      await lockRules(tx, { job, share: null, version: 0, updated_at: 0 });
      locked();
      // In this time the entry arrives and waits.
      await pause(300);
      const held = queries<Others>(tx)
        .updateTable("citizens_jobs")
        .set({ grade: 9 })
        .where("citizen_id", "=", member.characterId);
      await held.where("job", "=", job).execute();
    });
    await isLocked;
    const day = dayFromNow(get(), 1);
    const body = { citizenId: member.characterId, kindId: null, firstDay: day, lastDay: day };
    const entered = get().app.call(enterAbsence, { body }, as(leader));
    await first;
    expect((await entered).body.code).toBe("absences.notYours");
  });
});

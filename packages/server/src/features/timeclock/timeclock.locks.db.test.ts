import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { dialectOf, queries } from "#core/db/index.ts";
import { approveRequest, listApprovals } from "#features/approvals/approvals.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { cancelCorrection, type Entry, requestCorrection } from "./timeclock.contract.ts";
import { findCorrection } from "./timeclock.corrections.repo.ts";
import { lockPeople } from "./timeclock.repo.ts";
import { entriesOf, newJob, oneEntry, shorter } from "./timeclock.testkit.ts";

/** Of another feature, as far as these tests lock it. */
interface Others {
  approvals_requests: { id: number };
}

describeApps("corrections that several people change at once", (get) => {
  const as = ({ token }: TestActor) => ({ token });

  async function team() {
    const { world } = get();
    const job = newJob("locks");
    await world.job(job, [0, 1, 2]);
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights: { "timeclock.approve": true } });
    return { member, leader, entry: await oneEntry(get(), member, job) };
  }

  /** Units of work that were repeated after a deadlock, so far. */
  async function repeats(): Promise<number> {
    const text = await get().app.process.container.metrics.expose();
    return Number(/^rollcall_database_repeats_total\{reason="deadlock"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  async function ask(member: TestActor, entry: Entry): Promise<{ id: number; version: number }> {
    const body = { version: entry.version, ...shorter(entry) };
    const { output } = await get().app.call(requestCorrection, { params: { id: entry.id }, body }, as(member));
    return output.corrections.at(-1)!;
  }

  /** The request about the only correction that waits for somebody. */
  async function requestFor(actor: TestActor): Promise<{ id: number; version: number }> {
    const { output } = await get().app.call(listApprovals, { query: { list: "waiting" } }, as(actor));
    return output.items[0]!;
  }
  const approve = async (actor: TestActor, { id, version }: { id: number; version: number }) =>
    await get().app.call(approveRequest, { params: { id }, body: { version } }, as(actor));
  const cancel = async (actor: TestActor, { id, version }: { id: number; version: number }) =>
    await get().app.call(cancelCorrection, { params: { id }, body: { version } }, as(actor));

  test("are locked with their people before their requests, also on the page of requests", async () => {
    const { member, leader, entry } = await team();
    const { db } = get().app.process.container;
    const correction = await ask(member, entry);
    const request = await requestFor(leader);
    const before = await repeats();
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const first = db.write("test.cancel", async (tx) => {
      await lockPeople(tx, [member.characterId]);
      await findCorrection(tx, correction.id);
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
    const before = await repeats();
    const { member, leader, entry } = await team();
    let now = entry;
    // Somebody asks for ten a day at most.
    for (let round = 0; round < 9; round += 1) {
      const correction = await ask(member, now);
      const request = await requestFor(leader);
      const answers = await Promise.all([approve(leader, request), cancel(member, correction)]);
      now = (await entriesOf(get(), member))[0]!;
      const outcome = [answers[0].status, answers[1].status, now.corrections.at(-1)?.state];
      // Approved first, the version of the cancellation is stale; cancelled first, nobody decides any more.
      expect([
        [200, 409, "approved"],
        [409, 200, "cancelled"],
      ]).toContainEqual(outcome);
    }
    expect(await repeats()).toBe(before);
  });
});

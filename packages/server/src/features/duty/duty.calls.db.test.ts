import { expect, it } from "vitest";
import type { Metrics } from "#core/ports/index.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { DutyCalls } from "./duty.calls.service.ts";
import { createPeople, DutyWorkers, identifierOf } from "./duty.workers.testkit.ts";

const minute = 60_000;

async function opened(at: TestDatabase) {
  await createPeople(at, [{ id: 1, licence: "watched", jobs: ["police"] }]);
  const workers = new DutyWorkers(at);
  await workers.start(1);
  let read: Parameters<Metrics["gauge"]>[2] = () => 0;
  const metrics = { gauge: (_name: string, _help: string, given: typeof read) => void (read = given) } as unknown as Metrics;
  const calls = new DutyCalls({ ...at, metrics });
  const findings = async () => (await calls.findings()).map(({ id, params }) => [id, params]);
  const { reports } = workers.next;
  const report = async (event: "on" | "off", when: number, key: string) => {
    const item = { identifier: identifierOf(1), event, job: "police", at: when, key };
    return await reports.sync({} as never, { source: "city", items: [item] });
  };
  return { workers, findings, samples: async () => await read(), report };
}

describeDatabases("what operators see of the calls of game servers", (get) => {
  it("is a clock that is behind, until it is set; and how many events came too late for it", async () => {
    const { clock } = get();
    const { workers, findings, report } = await opened(get());
    await workers.next.signs.seen("city", null, [], clock.now() - 10 * minute);
    expect(await findings()).toEqual([
      ["duty.calls", { source: "city" }],
      ["duty.clockBehind", { source: "city", count: 10 }],
    ]);
    expect(await report("on", clock.now(), "1")).toMatchObject({ accepted: 1, late: 0 });
    expect(await report("off", clock.now() - 10 * minute, "2")).toMatchObject({ accepted: 1, late: 1 });
    await workers.pass(10_000);
    await workers.next.signs.seen("city", null, [], clock.now() - 200);
    expect(await findings()).toEqual([["duty.calls", { source: "city" }]]);
    await workers.stop();
  });

  it("is when each called last, and which jobs wait for a game server that has not called for a day", async () => {
    const { clock } = get();
    const { workers, findings, samples, report } = await opened(get());
    const calledAt = clock.now();
    await report("on", calledAt, "1");
    await clock.advance(61 * minute);
    expect(await findings()).toEqual([["duty.lastCall", { source: "city", count: 61 }]]);
    expect(await samples()).toEqual([{ labels: { source: "city" }, value: Math.round(calledAt / 1000) }]);
    await clock.advance(24 * 60 * minute);
    expect(await findings()).toEqual([["duty.noSource", { jobs: "police" }]]);
    expect(await samples()).toEqual([]);
    await workers.stop();
  });
});

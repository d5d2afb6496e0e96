import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { SyncRefusals } from "./sync.refusals.service.ts";
import { syncStatus } from "./sync.contract.ts";

describeApps("calls of the Sync API with a token that is not configured", (get) => {
  test("are a warning of the doctor for an hour, with the address", async () => {
    const { app } = get();
    const { container, assembly } = app.process;
    const { db } = container;
    const { clock } = container.ports;
    const audit = assembly.api(auditApi);
    const answer = await app.call(syncStatus, {}, { token: "not-one-of-those-that-are-configured" });
    expect(answer.status).toBe(401);
    const found = async (passedMs: number) => {
      const later = { ...clock, now: () => clock.now() + passedMs };
      return await new SyncRefusals({ db, clock: later, audit }).findings();
    };
    const params = { count: 1, addresses: expect.stringMatching(/[\d.:]+/) };
    await expect.poll(async () => await found(0)).toMatchObject([{ id: "sync.unknownToken", state: "warning", params }]);
    expect(await found(2 * 3_600_000)).toEqual([]);
  });
});

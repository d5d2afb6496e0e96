import { expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { createTestClock } from "#testkit/clock.ts";
import { describeApps } from "#testkit/suite.ts";
import { createErrorAudit } from "./error-audit.ts";

describeApps("notes of refusals", (get) => {
  let people = 0;

  function start() {
    const { app } = get();
    const clock = createTestClock();
    const { ports } = app.process.container;
    let writes = 0;
    let gate = Promise.resolve();
    const db = {
      ...ports.db,
      write: async (...given: Parameters<typeof ports.db.write>) => {
        writes += 1;
        await gate;
        return await ports.db.write(...given);
      },
    } as typeof ports.db;
    const notes = createErrorAudit({ db, clock, logs: ports.logs, audit: app.process.assembly.api(auditApi), mostKept: 100 });
    const username = `refused${(people += 1)}-${get().kind}`;
    const actorAt = (address: string, accountId = people) =>
      ({ kind: "account", accountId, username, groups: [], sessionId: "s", address, traceId: "t" }) as unknown as Actor;
    const error = new AppError(guardErrors.configAdminNeeded);
    const rows = async () =>
      (
        await app.process.container.db.exclusive(
          "test",
          async ({ connection }) =>
            await connection.execute(
              "select action, address, folded from audit_entries where actor_name = ? order by action, address",
              [username],
            ),
        )
      ).rows;
    /** Delays every write until the returned function is called. */
    function delayWrites(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    }
    return { notes, clock, actorAt, error, rows, delayWrites, writes: () => writes };
  }

  test("the first is written at once, those of the next seconds in one write, regardless of their addresses", async () => {
    const { notes, clock, actorAt, error, rows, writes } = start();
    for (let i = 0; i < 500; i += 1) await notes.denied(actorAt("10.1.1.1"), "accounts.list", error);
    expect(await rows()).toEqual([{ action: "accounts.list", address: "10.1.1.1", folded: 1 }]);
    await notes.denied(actorAt("10.1.1.1"), "settings.history", error);
    expect(writes()).toBe(2);
    await clock.advance(5000);
    await expect.poll(rows).toEqual([
      { action: "accounts.list", address: "10.1.1.1", folded: 500 },
      { action: "settings.history", address: "10.1.1.1", folded: 1 },
    ]);
    for (let i = 0; i < 200; i += 1) await notes.denied(actorAt(`10.2.${i}.1`), "accounts.list", error);
    expect(writes()).toBe(3);
    await notes.flush();
    expect(writes()).toBe(4);
    expect((await rows()).map(({ folded }) => folded)).toEqual([500, 200, 1]);
  });

  test("after seconds without a refusal the next one is written at once again", async () => {
    const { notes, clock, actorAt, error, rows, writes } = start();
    await notes.denied(actorAt("10.3.1.1"), "accounts.list", error);
    await clock.advance(5000);
    await notes.denied(actorAt("10.3.1.1"), "accounts.list", error);
    expect([writes(), (await rows())[0]?.["folded"]]).toEqual([2, 2]);
  });

  test("refusals during a write are counted once, and closing waits for both writes", async () => {
    const { notes, clock, actorAt, error, rows, delayWrites, writes } = start();
    const actors = Array.from({ length: 70 }, (_none, i) => actorAt(`10.5.1.${i}`, 1000 + i));
    const round = async () => {
      for (const actor of actors) await notes.denied(actor, "accounts.list", error);
    };
    for (let i = 0; i < 3; i += 1) await round();
    const release = delayWrites();
    await clock.advance(5000);
    expect(writes()).toBe(71);
    await round();
    const flushed = notes.flush();
    release();
    await flushed;
    expect((await rows()).map(({ folded }) => folded)).toEqual(actors.map(() => 4));
  });

  test("with very many people at once the earliest counts are written early to bound the memory", async () => {
    const { notes, actorAt, error, rows } = start();
    await notes.denied(actorAt("10.4.1.1", 1), "accounts.list", error);
    await notes.denied(actorAt("10.4.1.1", 1), "accounts.list", error);
    const many = Array.from(
      { length: 100 },
      async (_person, i) => await notes.denied(actorAt("10.4.1.1", i + 2), "accounts.list", error),
    );
    await Promise.all(many);
    expect((await rows())[0]?.["folded"]).toBe(102);
  });
});

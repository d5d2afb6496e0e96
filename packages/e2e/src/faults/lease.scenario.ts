import { expect } from "vitest";
import { makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { type Holder, startHolder } from "@rollcall/testkit/holder.ts";
import { makeInstance, type Instance, run } from "@rollcall/testkit/program.ts";
import { print } from "./ingest.scenario.ts";

/** A stopped holder must be replaced within this time after the end of its lease. Milliseconds. */
export const followedWithinMs = 15_000;

/** Two processes that want one lease, on a migrated MariaDB of their own. */
export class Rivals {
  readonly #database: OwnDatabase;
  readonly #place: Instance;
  readonly #ttlMs: number;
  readonly #holders: Holder[] = [];

  static async start(ttlMs: number): Promise<Rivals> {
    const database = makeDatabase();
    const instance = await makeInstance({ dsn: database.dsn });
    const { code, stderr } = await run(["migrate"], instance);
    expect(code, stderr).toBe(0);
    database.query("create table lease_trace (name varchar(20) not null, token int not null)");
    return new Rivals(database, instance, ttlMs);
  }

  private constructor(database: OwnDatabase, instance: Instance, ttlMs: number) {
    this.#database = database;
    this.#place = instance;
    this.#ttlMs = ttlMs;
  }

  holder(): Holder {
    const holder = startHolder({ dsn: this.#database.dsn, lease: "rivals", ttlMs: this.#ttlMs });
    this.#holders.push(holder);
    return holder;
  }

  /** What was written under the lease, with its token, in the order of the tokens. */
  traces(): string[] {
    return this.#database.query("select concat(name, ' ', token) from lease_trace order by token, name");
  }

  /** Milliseconds until the lease expires, by the database's clock. */
  remainingMs(): number {
    return Number(
      this.#database.query(
        "select expires_at - cast(unix_timestamp(now(3)) * 1000 as signed) from leases where name = 'rivals'",
      )[0],
    );
  }

  async end(): Promise<void> {
    await Promise.all(this.#holders.map(async (holder) => await holder.end()));
    this.#database.drop();
    this.#place.remove();
  }
}

const holds = (token: number) => (what: { event: string; token?: number }) => what.event === "held" && what.token === token;

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Stops a holder for `stoppedMs`, with its late write waiting for it when it wakes. */
export async function proveLateWriteRefused(rivals: Rivals, options: { readonly stoppedMs: number }): Promise<void> {
  const first = rivals.holder();
  await first.seen(holds(1));
  first.send("write early");
  await first.seen(({ event }) => event === "written");
  const second = rivals.holder();
  const stopped = performance.now();
  first.signal("SIGSTOP");
  const endsInMs = rivals.remainingMs();
  expect(endsInMs).toBeGreaterThan(0);
  await second.seen(holds(2));
  const takenMs = performance.now() - stopped;
  expect(takenMs).toBeGreaterThan(endsInMs - 100);
  expect(takenMs - endsInMs).toBeLessThan(followedWithinMs);
  second.send("write next");
  await second.seen(({ event }) => event === "written");
  // A fixed wait: the other holder has to renew for the whole length of the stop.
  await pause(Math.max(0, options.stoppedMs - (performance.now() - stopped)));
  first.send("write late");
  first.signal("SIGCONT");
  const answer = await first.seen((one) => "name" in one && one.name === "late");
  expect(answer).toMatchObject({ event: "refused", leaseLost: true });
  await first.seen(({ event }) => event === "lost");
  second.send("write last");
  await second.seen((one) => one.event === "written" && one.name === "last");
  expect(rivals.traces()).toEqual(["early 1", "last 2", "next 2"]);
  print(
    `lease holder stopped for ${(options.stoppedMs / 1000).toFixed(0)} s: the next one held ${Math.max(0, Math.round(takenMs - endsInMs))} ms after the lease ended; the late write was refused`,
  );
}

/** Stops a holder inside its unit of work, while it has the lease row locked. */
export async function proveStopInsideUnit(rivals: Rivals, options: { readonly stoppedMs: number }): Promise<void> {
  const first = rivals.holder();
  await first.seen(holds(1));
  const second = rivals.holder();
  first.send("begin half");
  await first.seen(({ event }) => event === "inside");
  const stopped = performance.now();
  first.signal("SIGSTOP");
  const endsInMs = rivals.remainingMs();
  await second.seen(holds(2));
  const takenMs = performance.now() - stopped;
  expect(takenMs - endsInMs).toBeLessThan(followedWithinMs);
  second.send("write next");
  await second.seen(({ event }) => event === "written");
  await pause(Math.max(0, options.stoppedMs - (performance.now() - stopped)));
  first.send("go");
  first.signal("SIGCONT");
  // The server ended the frozen transaction, so its COMMIT finds no connection.
  const answer = await first.seen((one) => one.event === "refused");
  expect(answer).toMatchObject({
    error: expect.stringMatching(/lease rivals is lost|connection to .* broke/),
  });
  first.send("write late");
  expect(await first.seen((one) => "name" in one && one.name === "late")).toMatchObject({
    event: "refused",
    leaseLost: true,
  });
  expect(rivals.traces()).toEqual(["next 2"]);
  print(
    `lease holder stopped inside its unit of work: the next one held ${Math.round(takenMs - endsInMs)} ms after the lease ended; nothing of the unit was stored`,
  );
}

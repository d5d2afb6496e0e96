import { expect } from "vitest";
import { makeDatabase, type OwnDatabase } from "#kit/backing.ts";
import { type Holder, startHolder } from "#kit/holder.ts";
import { makePlace, type Place, run } from "#kit/program.ts";
import { tell } from "./ingest.scenario.ts";

/** A holder that is gone must be followed by another within this, counted from the end of its lease. */
export const followedWithinMs = 15_000;

/** Two processes that want one lease, on a migrated MariaDB of their own. */
export class Rivals {
  readonly #database: OwnDatabase;
  readonly #place: Place;
  readonly #ttlMs: number;
  readonly #holders: Holder[] = [];

  static async start(ttlMs: number): Promise<Rivals> {
    const database = makeDatabase();
    const place = await makePlace({ dsn: database.dsn });
    const { code, stderr } = await run(["migrate"], place);
    expect(code, stderr).toBe(0);
    database.query("create table lease_trace (name varchar(20) not null, token int not null)");
    return new Rivals(database, place, ttlMs);
  }

  private constructor(database: OwnDatabase, place: Place, ttlMs: number) {
    this.#database = database;
    this.#place = place;
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

  /** Milliseconds that the lease still has, by the database's clock. */
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

const holds = (token: number) => (what: { said: string; token?: number }) => what.said === "held" && what.token === token;

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Stops a holder for `stoppedMs`, with its late write waiting for it when it wakes. */
export async function proveLateWriteRefused(rivals: Rivals, options: { readonly stoppedMs: number }): Promise<void> {
  const first = rivals.holder();
  await first.said(holds(1));
  first.send("write early");
  await first.said(({ said }) => said === "written");
  const second = rivals.holder();
  const stopped = performance.now();
  first.signal("SIGSTOP");
  const endsInMs = rivals.remainingMs();
  expect(endsInMs).toBeGreaterThan(0);
  await second.said(holds(2));
  const takenMs = performance.now() - stopped;
  expect(takenMs).toBeGreaterThan(endsInMs - 100);
  expect(takenMs - endsInMs).toBeLessThan(followedWithinMs);
  second.send("write next");
  await second.said(({ said }) => said === "written");
  // The length of the stop is what is proved: the other holder renews meanwhile.
  await pause(Math.max(0, options.stoppedMs - (performance.now() - stopped)));
  first.send("write late");
  first.signal("SIGCONT");
  const answer = await first.said((what) => "name" in what && what.name === "late");
  expect(answer).toMatchObject({ said: "refused", leaseLost: true });
  await first.said(({ said }) => said === "lost");
  second.send("write last");
  await second.said((what) => what.said === "written" && what.name === "last");
  expect(rivals.traces()).toEqual(["early 1", "last 2", "next 2"]);
  tell(
    `lease holder stopped for ${(options.stoppedMs / 1000).toFixed(0)} s: the next one held ${Math.max(0, Math.round(takenMs - endsInMs))} ms after the lease ended; the late write was refused`,
  );
}

/** Stops a holder inside its unit of work, while it has the lease row locked. */
export async function proveStopInsideUnit(rivals: Rivals, options: { readonly stoppedMs: number }): Promise<void> {
  const first = rivals.holder();
  await first.said(holds(1));
  const second = rivals.holder();
  first.send("begin half");
  await first.said(({ said }) => said === "inside");
  const stopped = performance.now();
  first.signal("SIGSTOP");
  const endsInMs = rivals.remainingMs();
  await second.said(holds(2));
  const takenMs = performance.now() - stopped;
  expect(takenMs - endsInMs).toBeLessThan(followedWithinMs);
  second.send("write next");
  await second.said(({ said }) => said === "written");
  await pause(Math.max(0, options.stoppedMs - (performance.now() - stopped)));
  first.send("go");
  first.signal("SIGCONT");
  // The server ended the frozen transaction, so its COMMIT finds no connection.
  const answer = await first.said((what) => what.said === "refused");
  expect(answer).toMatchObject({
    error: expect.stringMatching(/lease rivals is lost|connection to .* broke/),
  });
  first.send("write late");
  expect(await first.said((what) => "name" in what && what.name === "late")).toMatchObject({
    said: "refused",
    leaseLost: true,
  });
  expect(rivals.traces()).toEqual(["next 2"]);
  tell(
    `lease holder stopped inside its unit of work: the next one held ${Math.round(takenMs - endsInMs)} ms after the lease ended; nothing of the unit was stored`,
  );
}

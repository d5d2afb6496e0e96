import { createInterface } from "node:readline";
import { queries } from "../../server/src/core/db/index.ts";
import { LeaseLost, type Lease } from "../../server/src/core/ports/index.ts";
import { parseDsn } from "../../server/src/config/dsn.ts";
import { systemClock } from "../../server/src/infra/clock.ts";
import { keepLease } from "../../server/src/infra/coordination/keep.ts";
import { createLeases } from "../../server/src/infra/coordination/leases.ts";
import { createDatabase } from "../../server/src/infra/db/database.ts";
import { createIds } from "../../server/src/infra/ids.ts";
import { noMetrics, silentLog } from "../../server/src/testkit/silence.ts";

/**
 * A process that acquires one lease, renews it and writes under it on command, as every leased use case
 * does. Arguments: JSON of HolderOrder. Commands by line on stdin: `write NAME`, `begin NAME` (stays
 * inside the unit of work until `go`), `quit`. Prints one JSON line for each event.
 */
export interface HolderOrder {
  readonly dsn: string;
  readonly lease: string;
  readonly ttlMs: number;
}

export type HolderEvent =
  | { readonly event: "held" | "lost"; readonly token: number }
  | { readonly event: "inside" | "written"; readonly name: string }
  | { readonly event: "refused"; readonly name: string; readonly error: string; readonly leaseLost: boolean };

const lookAgainMs = 200;

async function hold({ dsn, lease: name, ttlMs }: HolderOrder): Promise<void> {
  const parsed = parseDsn(dsn, process.cwd());
  if (!("value" in parsed)) throw new Error("the DSN cannot be read");
  const pool = { maxOpenConns: 4, maxIdleConns: 2, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };
  const db = createDatabase({
    dsn: parsed.value,
    pool,
    disableLocking: false,
    clock: systemClock,
    log: silentLog,
    metrics: noMetrics,
  });
  const leases = createLeases({ db, clock: systemClock, ids: createIds(systemClock), disableLocking: false });
  const print = (what: HolderEvent) => void process.stdout.write(`${JSON.stringify(what)}\n`);
  let held: Lease | null = null;
  let go = Promise.withResolvers<void>();

  async function write(trace: string, inside: () => Promise<void>): Promise<void> {
    const lease = held;
    if (lease === null) throw new Error("no lease is held");
    try {
      await db.write("test.leased", async (tx) => {
        await lease.guard(tx);
        await queries<{ lease_trace: { name: string; token: number } }>(tx)
          .insertInto("lease_trace")
          .values({ name: trace, token: lease.token })
          .execute();
        await inside();
      });
      print({ event: "written", name: trace });
    } catch (error) {
      print({ event: "refused", name: trace, error: (error as Error).message, leaseLost: error instanceof LeaseLost });
    }
  }

  createInterface({ input: process.stdin }).on("line", (line) => {
    const [command, trace = ""] = line.split(" ");
    if (command === "quit") process.exit(0);
    if (command === "go") go.resolve();
    if (command === "write") void write(trace, async () => undefined);
    if (command !== "begin") return;
    go = Promise.withResolvers();
    void write(trace, async () => {
      print({ event: "inside", name: trace });
      await go.promise;
    });
  });

  for (;;) {
    held = await leases.acquire(name, ttlMs);
    if (held === null) {
      await systemClock.sleep(lookAgainMs);
      continue;
    }
    const { token, signal } = held;
    print({ event: "held", token });
    const keeper = keepLease(held, { ttlMs, clock: systemClock, log: silentLog });
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    keeper.stop();
    print({ event: "lost", token });
    return;
  }
}

const given = process.argv[2];
if (given !== undefined) await hold(JSON.parse(given) as HolderOrder);

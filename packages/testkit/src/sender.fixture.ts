import { fsyncSync, openSync, writeSync } from "node:fs";
import { createSyncClient } from "@rollcall/sync-sdk";
import { senderOptions, usersOf } from "./population.ts";

/**
 * A sender as a process of its own. Writes `FROM TO HOW` to its ledger for each batch that the
 * client acknowledged (HOW: stored or queued), and the number of acknowledged users to stdout.
 * Arguments: JSON of SenderOrder.
 */
export interface SenderOrder {
  readonly url: string;
  readonly token: string;
  readonly queueDir: string;
  readonly ledger: string;
  readonly from: number;
  readonly to: number;
  readonly batch: number;
  /** Batches sent concurrently. */
  readonly parallel: number;
  /** First sends what is still in the queue. */
  readonly flushFirst: boolean;
}

async function send(order: SenderOrder): Promise<void> {
  const ledger = openSync(order.ledger, "a");
  const client = createSyncClient(senderOptions(order.url, order.token, order.queueDir));
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  if (order.flushFirst) {
    await flush(client);
    print("flushed");
  }
  let next = order.from;
  let acknowledged = 0;
  const lane = async () => {
    while (next < order.to) {
      const from = next;
      const to = Math.min(order.to, from + order.batch);
      next = to;
      const { accepted, unchanged, rejected, queued } = await client.users(usersOf(from, to));
      if (rejected.length > 0 || accepted + unchanged + queued !== to - from)
        throw new Error(`users ${from} to ${to}: ${JSON.stringify({ accepted, unchanged, rejected, queued })}`);
      writeSync(ledger, `${from} ${to} ${queued > 0 ? "queued" : "stored"} ${accepted}\n`);
      fsyncSync(ledger);
      acknowledged += to - from;
      print(`acknowledged ${acknowledged}`);
    }
  };
  await Promise.all(Array.from({ length: order.parallel }, lane));
  await flush(client);
  await client.close();
  print("done");
}

/** A starting server may be down for longer than the timeout of one flush. */
async function flush(client: ReturnType<typeof createSyncClient>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.flush();
      return;
    } catch (error) {
      if (attempt === 50) throw error;
    }
  }
}

const given = process.argv[2];
if (given !== undefined) await send(JSON.parse(given) as SenderOrder);

import { fsyncSync, openSync, writeSync } from "node:fs";
import { createSyncClient } from "@rollcall/sync-sdk";

/**
 * The plugin of a game server as a process of its own: it says where its players are, and does what Rollcall asks.
 * Writes `ID KIND LABEL` to its ledger for each effect, which is on disk before anything is reported.
 * Arguments: JSON of ReceiverOrder.
 */
export interface ReceiverOrder {
  readonly url: string;
  readonly token: string;
  readonly source: string;
  readonly queueDir: string;
  readonly ledger: string;
  /** Game identifiers of who is in the game. */
  readonly players: readonly string[];
}

const moveEveryMs = 500;
/** How long an effect takes, so that a kill falls into some of them: before it, and before it is reported. */
const workMs = 60;

async function receive({ url, token, source, queueDir, ledger, players }: ReceiverOrder): Promise<void> {
  const file = openSync(ledger, "a");
  const pause = async () => await new Promise((resolve) => setTimeout(resolve, Math.random() * workMs));
  const apply = async (id: string, kind: string, label: string) => {
    await pause();
    writeSync(file, `${id} ${kind} ${label}\n`);
    fsyncSync(file);
    await pause();
  };
  const retry = { baseMs: 50, maxMs: 500 };
  const client = createSyncClient({ url, token, source, queueDir, retry });
  client.requests.on("ingame.waypoint", async ({ x }, { id }) => await apply(id, "waypoint", String(x)));
  client.requests.on("ingame.toast", async ({ title }, { id }) => await apply(id, "toast", title.de));
  await client.requests.start();
  let moved = 0;
  const move = () => {
    moved += 1;
    client.positions.set(players.map((identifier) => ({ identifier, x: moved % 1000, y: 0 })));
  };
  move();
  setInterval(move, moveEveryMs);
  process.stdout.write("started\n");
}

const given = process.argv[2];
if (given !== undefined) await receive(JSON.parse(given) as ReceiverOrder);

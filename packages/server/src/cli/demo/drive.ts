import { createSyncClient, type SendResult, type SyncClient, SyncError } from "@rollcall/sync-sdk";
import type { Clock } from "#core/ports/index.ts";
import { demoSource } from "#core/demo.ts";
import { createRandom } from "#core/random.ts";
import type { City } from "./city.ts";
import { DemoRefused } from "./load.ts";
import { Players, type Resident } from "./players.ts";
import { answerJobs, answerRequests, Characters } from "./requests.ts";
import { createStreets } from "./streets.ts";

/** As many as a call of positions may carry. */
export const mostPlayers = 2000;
const everyMs = 1000;
const unemployed = "unemployed";

/** First characters with work; those of the logins come first, and stay on duty. */
export function residentsOf({ users, logins }: City, most: number): Resident[] {
  const steady = new Set(logins.map(({ licence }) => licence));
  const seen = new Set<string>();
  const residents = users.flatMap(({ identifier, licence = "", jobs }): Resident[] => {
    const held = jobs.filter(({ name }) => name !== unemployed);
    const isFirst = licence !== null && !seen.has(licence);
    if (isFirst) seen.add(licence);
    if (!isFirst || held.length === 0) return [];
    return [{ identifier, jobs: held, isSteady: steady.has(licence) }];
  });
  return residents.toSorted((a, b) => Number(b.isSteady) - Number(a.isSteady)).slice(0, most);
}

/** A game server as Rollcall sees it: it reports what its players do, through the client that plugins use. */
export class DemoGameServer {
  readonly #client: Pick<SyncClient, "duty" | "positions">;
  readonly #players: Players;

  constructor(client: Pick<SyncClient, "duty" | "positions">, players: Players) {
    this.#client = client;
    this.#players = players;
  }

  /** Nobody is anywhere but those who are there now. */
  async start(): Promise<SendResult> {
    this.#client.positions.clear();
    return await this.#client.duty(this.#players.onDuty());
  }

  async step(ms: number): Promise<SendResult> {
    const { events, places, removed } = this.#players.step(ms);
    this.#client.positions.remove(removed);
    this.#client.positions.set(places);
    return await this.#client.duty(events);
  }

  /** Everybody goes off duty, and is nowhere any more. */
  async stop(): Promise<SendResult> {
    this.#client.positions.clear();
    const onDuty = this.#players.states.filter(({ job }) => job !== null);
    return await this.#client.duty(onDuty.map(({ identifier }) => ({ identifier, event: "off" as const })));
  }
}

export interface DriveOptions {
  readonly url: string;
  readonly token: string;
  readonly seed: number;
  readonly residents: readonly Resident[];
  /** All characters of the city, which Rollcall may ask for again. */
  readonly people: City["users"];
  /** Keeps what cannot be sent now, and which requests were run. */
  readonly queueDir: string;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** Does what Rollcall asks of the game server. */
async function takeRequests(client: SyncClient, players: Players, { people, log }: DriveOptions): Promise<void> {
  answerRequests(client, {
    isThere: (wanted) => players.states.some(({ identifier, presence }) => identifier === wanted && presence === "there"),
    showToast: ({ identifier, title }) => log(`Toast to ${identifier}: ${title.en}`),
    setWaypoint: ({ identifier, x, y, label }) => log(`Waypoint of ${identifier}: ${label || `${x}, ${y}`}`),
  });
  const characters = new Characters(people);
  answerJobs(client, characters);
  client.requests.on("citizens.resync", async ({ identifier: wanted }) => {
    const person = characters.get(wanted);
    if (!person) throw new Error("There is no such character in the demo city.");
    const { rejected, queued } = await client.users([person]);
    if (rejected.length > 0) throw new Error(rejected[0]!.message);
    if (queued > 0) throw new Error("The character could not be sent yet; it waits in the queue.");
  });
  await client.requests.start();
}

/** A folder that cannot be used is nothing that another attempt would change. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof SyncError) || error.code !== "queue.unavailable") return error;
  return new DemoRefused(`${error.message}: is rollcall demo drive running already?`);
}

/** Lets residents of the demo city drive in a running server until the signal. Throws `SyncError` and `DemoRefused`. */
export async function driveDemo(options: DriveOptions): Promise<void> {
  const { url, token, seed, residents, queueDir, clock, signal, log } = options;
  const client = createSyncClient({
    url,
    token,
    source: demoSource,
    queueDir,
    log: (level, message) => (level === "debug" ? undefined : log(message)),
  });
  const random = createRandom(seed);
  const players = new Players({ random, streets: createStreets(random), residents });
  const game = new DemoGameServer(client, players);
  try {
    const { rejected } = await game.start();
    if (rejected.length > 0)
      throw new DemoRefused(
        `${rejected.length} of ${residents.length} people are refused, the first because ${rejected[0]!.message}: ` +
          "rollcall demo load loads the city of this --seed",
      );
    await takeRequests(client, players, options);
    log(`${residents.length} people of the demo city drive around. Ctrl+C ends it.`);
    let isKnown = true;
    for (;;) {
      await clock.sleep(everyMs, signal).catch(() => undefined);
      if (signal.aborted) break;
      try {
        await (isKnown ? game.step(everyMs) : game.start());
        isKnown = true;
      } catch (error) {
        if (!(error instanceof SyncError) || error.code === "queue.unavailable") throw error;
        // Events were lost with it: once the server answers again, it gets who is on duty.
        isKnown = false;
      }
    }
    await game.stop();
    // Positions leave once a second, and closing the client sends none.
    await clock.sleep(2 * everyMs);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await client.close();
  }
}

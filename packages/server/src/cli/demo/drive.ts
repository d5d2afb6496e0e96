import { createSyncClient, type SendResult, type SyncClient, SyncError } from "@rollcall/sync-sdk";
import type { Clock } from "#core/ports/index.ts";
import { demoSource } from "#core/demo.ts";
import { createRandom } from "#core/random.ts";
import type { City } from "./city.ts";
import { DemoRefused } from "./load.ts";
import { Players, type Resident } from "./players.ts";
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
export class GameServer {
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

  /** Everybody goes off duty. */
  async stop(): Promise<SendResult> {
    const onDuty = this.#players.states.filter(({ job }) => job !== null);
    return await this.#client.duty(onDuty.map(({ identifier }) => ({ identifier, event: "off" as const })));
  }
}

export interface DriveOptions {
  readonly url: string;
  readonly token: string;
  readonly seed: number;
  readonly residents: readonly Resident[];
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** Lets residents of the demo city drive in a running server until the signal. Throws `SyncError` and `DemoRefused`. */
export async function driveDemo({ url, token, seed, residents, clock, signal, log }: DriveOptions): Promise<void> {
  const client = createSyncClient({
    url,
    token,
    source: demoSource,
    log: (level, message) => (level === "debug" ? undefined : log(message)),
  });
  const random = createRandom(seed);
  const players = new Players({ random, streets: createStreets(random), residents });
  const game = new GameServer(client, players);
  try {
    const { rejected } = await game.start();
    if (rejected.length > 0)
      throw new DemoRefused(
        `${rejected.length} of ${residents.length} people are refused, the first because ${rejected[0]!.message}: ` +
          "rollcall demo load loads the city of this --seed",
      );
    log(`${residents.length} people of the demo city drive around. Ctrl+C ends it.`);
    let isKnown = true;
    for (;;) {
      await clock.sleep(everyMs, signal).catch(() => undefined);
      if (signal.aborted) break;
      try {
        await (isKnown ? game.step(everyMs) : game.start());
        isKnown = true;
      } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        // Events were lost with it: once the server answers again, it gets who is on duty.
        isKnown = false;
      }
    }
    await game.stop();
  } finally {
    await client.close();
  }
}

import type { SyncClient, User } from "@rollcall/sync-sdk";
import { DemoGameServer } from "../../../server/src/cli/demo/drive.ts";
import { type Every, Players, type PlayerState, type Resident } from "../../../server/src/cli/demo/players.ts";
import { answerJobs, Characters } from "../../../server/src/cli/demo/requests.ts";
import { createStreets } from "../../../server/src/cli/demo/streets.ts";
import { createRandom } from "../../../server/src/core/random.ts";
import { makeResidents } from "./residents.ts";
import { Screens } from "./screens.ts";

export interface SimulatedGameOptions {
  readonly seed: number;
  /** 300 people of `makeResidents` unless given. */
  readonly residents?: readonly Resident[];
  /** How often something happens to a player, in seconds on average. */
  readonly every?: Partial<Every>;
  /** Also runs what Rollcall asks for: the client then needs a `queueDir`. */
  readonly takesRequests?: boolean;
  /** Whose jobs it then changes when Rollcall asks. */
  readonly people?: readonly User[];
  /** The client of one boot, which the game server closes when it crashes. */
  connect(boot: string): SyncClient;
}

/**
 * A game server whose players drive, change duty, hide, drop and come back. It does what it does when `step` says how
 * much time has passed, so that a test or a clock of its own drives it, and is the same for the same seed.
 */
export class SimulatedGame {
  readonly #options: SimulatedGameOptions;
  readonly #players: Players;
  readonly #characters: Characters;
  readonly screens = new Screens();
  #boots = 0;
  #running: { readonly client: SyncClient; readonly server: DemoGameServer } | null = null;

  constructor(options: SimulatedGameOptions) {
    this.#options = options;
    const { seed, residents = makeResidents(300).residents, every = {}, people = [] } = options;
    this.#characters = new Characters(people);
    const random = createRandom(seed);
    this.#players = new Players({ random, streets: createStreets(random), residents, every });
  }

  /** What Rollcall should know, once everything has arrived; after a crash, once who was not named again is off duty. */
  get players(): readonly PlayerState[] {
    return this.#players.states;
  }

  /** The first run, or the next one after a crash: everybody who is on duty says so again. */
  async start(): Promise<void> {
    this.#boots += 1;
    const client = this.#options.connect(`boot-${this.#boots}`);
    const server = new DemoGameServer(client, this.#players);
    this.#running = { client, server };
    await server.start();
    if (this.#options.takesRequests !== true) return;
    this.screens.handle(client, (identifier) =>
      this.players.some((one) => one.identifier === identifier && one.presence === "there"),
    );
    answerJobs(client, this.#characters);
    await client.requests.start();
  }

  async step(ms: number): Promise<void> {
    if (this.#running === null) this.#players.step(ms);
    else await this.#running.server.step(ms);
  }

  /** Says nothing more; players go on, and nobody reports what they do until the next start. */
  async crash(): Promise<void> {
    const { client } = this.#running ?? {};
    this.#running = null;
    await client?.close();
  }

  async stop(): Promise<void> {
    await this.#running?.server.stop();
    await this.crash();
  }
}

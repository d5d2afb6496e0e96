import type { GameRequestPayload, SyncClient, User } from "@rollcall/sync-sdk";

export type Toast = GameRequestPayload<"ingame.toast">;
export type Waypoint = GameRequestPayload<"ingame.waypoint">;

/** What a game server has that Rollcall asks things of. */
export interface Screens {
  /** Whether somebody plays this character now. */
  isThere(identifier: string): boolean;
  showToast(toast: Toast, id: string): void;
  setWaypoint(waypoint: Waypoint): void;
}

const unemployed = "unemployed";

/** The characters of a game server, with the jobs that they have by now. */
export class Characters {
  readonly #people: Map<string, User>;

  constructor(people: readonly User[]) {
    this.#people = new Map(people.map((one) => [one.identifier, one]));
  }

  get(identifier: string): User | undefined {
    return this.#people.get(identifier);
  }

  /** The character as it is after the change. Throws why it is refused. */
  changeJob({ identifier, job, expectedGrade, grade }: GameRequestPayload<"colleagues.job">): User {
    const person = this.get(identifier);
    if (person === undefined) throw new Error("There is no such character.");
    const jobs = person.jobs ?? [];
    const present = jobs.find(({ name }) => name === job)?.grade ?? null;
    if (present !== expectedGrade) throw new Error("The character stands in another grade by now.");
    const held = grade === null ? [] : [{ name: job, grade }];
    const after =
      present === null
        ? [...jobs.filter(({ name }) => name !== unemployed), ...held]
        : jobs.flatMap((one) => (one.name === job ? held : [one]));
    const changed = { ...person, jobs: after.length === 0 ? [{ name: unemployed, grade: 0 }] : after };
    this.#people.set(identifier, changed);
    return changed;
  }
}

/** Changes jobs as Rollcall asks, and sends the character as it is then. */
export function answerJobs(client: Pick<SyncClient, "requests" | "users">, characters: Characters): void {
  client.requests.on("colleagues.job", async (wanted) => {
    const { rejected } = await client.users([characters.changeJob(wanted)]);
    if (rejected.length > 0) throw new Error(rejected[0]!.message);
  });
}

/** Does on the players' screens what Rollcall asks for, and refuses what is for somebody who is not in the game. */
export function answerRequests({ requests }: Pick<SyncClient, "requests">, screens: Screens): void {
  const require = (identifier: string) => {
    if (!screens.isThere(identifier)) throw new Error("The player is not in the game.");
  };
  requests.on("ingame.toast", (toast, { id }) => {
    require(toast.identifier);
    screens.showToast(toast, id);
  });
  requests.on("ingame.waypoint", (waypoint) => {
    require(waypoint.identifier);
    screens.setWaypoint(waypoint);
  });
}

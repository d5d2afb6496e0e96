import { type BatchOperation, createSyncClient, type SendResult, type SyncClient } from "@rollcall/sync-sdk";
import type { Actor } from "#core/actor.ts";
import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import { type Demo, type DemoGrant, type DemoRows, demoSource } from "#core/demo.ts";
import { createRandom } from "#core/random.ts";
import { createCity, type City, type CityLogin } from "./city.ts";
import { demoGrants } from "./jobs.ts";
import type { Progress } from "./progress.ts";
import { createStreets, rowsOfCrossings } from "./streets.ts";

/** `password` is null for an existing login, which was not changed. */
interface DemoLogin {
  readonly username: string;
  readonly password: string | null;
}

export interface RoleGrant {
  readonly job: string;
  readonly grade: number;
  readonly permission: string;
  readonly allow: boolean;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

export interface DemoOptions {
  /** URL of the running server, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly token: string;
  readonly seed: number;
  /** `game.startJobGrade`. */
  readonly startGrade: number;
  createLogins(logins: readonly Pick<CityLogin, "username" | "licence" | "groups">[]): Promise<readonly DemoLogin[]>;
  /** All that roles can grant. */
  readonly permissions: readonly PermissionDefinition[];
  /** What features grant. */
  readonly grants: readonly DemoGrant[];
  /** What features add. */
  readonly rows: readonly DemoRows[];
  readonly actor: Actor;
  grantRoles(grants: readonly RoleGrant[]): Promise<void>;
  readonly progress: Progress;
  /** Prints lines other than the progress, such as a pause of the server. */
  log(line: string): void;
}

export interface LoadedDemo {
  /** By the kind of data, or the feature that brings it. */
  readonly counts: Readonly<Record<string, number>>;
  readonly logins: readonly (DemoLogin & { readonly plays: string })[];
}

/** The demo city could not be loaded; the message is one line for the operator. */
export class DemoRefused extends Error {
  override name = "DemoRefused";
}

/** Items sent per update of the bar. */
const itemsAtOnce = 200;

async function sendAll<Item>(
  label: string,
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<SendResult>,
  progress: Progress,
): Promise<number> {
  const step = progress.step(label, items.length);
  try {
    for (let from = 0; from < items.length; from += itemsAtOnce) {
      const part = items.slice(from, from + itemsAtOnce);
      const { rejected } = await send(part);
      const [first] = rejected;
      if (first)
        throw new DemoRefused(
          `the server rejected ${rejected.length} of the ${label}; the first is ${first.id ?? first.index}: ${first.message}`,
        );
      step.advance(part.length);
    }
  } finally {
    step.end();
  }
  return items.length;
}

async function sendCity(client: SyncClient, city: City, progress: Progress): Promise<LoadedDemo["counts"]> {
  return {
    jobs: await sendAll("jobs", city.jobs, client.jobs, progress),
    licences: await sendAll("licences", city.licences, client.licences, progress),
    accounts: await sendAll("accounts", city.accounts, client.accounts, progress),
    users: await sendAll("users", city.users, client.users, progress),
  };
}

/** Features add their rows in the order of their needs. */
async function loadRows(client: SyncClient, city: City, options: DemoOptions): Promise<LoadedDemo["counts"]> {
  const { startGrade, actor, progress } = options;
  const people = city.users.map(({ licences, ...user }) => ({ ...user, licences: licences ?? [] }));
  // The same streets as those of people who drive in a city of this seed.
  const crossings = rowsOfCrossings(createStreets(createRandom(options.seed)));
  const counts: Record<string, number> = {};
  for (const { feature, load } of options.rows) {
    const send: Demo["send"] = async (operation, items) =>
      await sendAll(feature, items, async (part) => await client.send(operation as BatchOperation, part), progress);
    counts[feature] = await load({
      city: { startGrade, jobs: city.jobs, crossings, people },
      random: city.random.fork(),
      actor,
      send,
    });
  }
  return counts;
}

/**
 * Loads the demo city into a running server: its data through the Sync API, roles and logins by the
 * given callbacks. May be repeated: equal items change nothing. Throws `SyncError` and `DemoRefused`.
 */
export async function loadDemo(options: DemoOptions): Promise<LoadedDemo> {
  const city = createCity(options);
  const client = createSyncClient({
    url: options.url,
    token: options.token,
    source: demoSource,
    log: (level, message) => (level === "debug" ? undefined : options.log(message)),
  });
  try {
    const sent = await sendCity(client, city, options.progress);
    const counts = { ...sent, ...(await loadRows(client, city, options)) };
    const grants = demoGrants(options.permissions, options.grants);
    await options.grantRoles(grants.map(({ rank, ...grant }) => ({ ...grant, grade: options.startGrade + rank })));
    const made = await options.createLogins(city.logins.map(({ username, licence, groups }) => ({ username, licence, groups })));
    const passwords = new Map(made.map((login) => [login.username, login.password]));
    return {
      counts,
      logins: city.logins.map(({ username, plays }) => ({
        username,
        plays,
        password: passwords.get(username) ?? null,
      })),
    };
  } finally {
    await client.close();
  }
}

import type { Actor } from "#core/actor.ts";
import type { Assembly } from "#core/assemble.ts";
import type { Database, Ids } from "#core/ports/index.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { createCity, type CityLogin } from "./city.ts";
import { readablePassword } from "./identities.ts";
import type { LoadedDemo } from "./load.ts";
import { demoSeed } from "./seed.ts";

type Features = Pick<Assembly, "api">;

/** Whether an account is a login of the demo city: of its licence, and under its name. */
async function isOfDemo(db: Database, features: Features, { licence, username }: CityLogin): Promise<boolean> {
  const account = await db.read("demo.login", async (tx) => await features.api(accountsApi).byLicence(tx, licence));
  return account?.username === username;
}

export async function isDemoLoaded(db: Database, features: Features, startGrade: number): Promise<boolean> {
  const [first] = createCity({ seed: demoSeed, startGrade }).logins;
  return first !== undefined && (await isOfDemo(db, features, first));
}

export interface DemoLoginsOptions {
  readonly db: Database;
  readonly features: Features;
  readonly actor: Actor;
  readonly ids: Pick<Ids, "secret">;
  readonly seed: number;
  readonly startGrade: number;
}

/** Gives the logins of the demo city new passwords, because only hashes of the old ones are stored; others stay. */
export async function renewLogins(options: DemoLoginsOptions): Promise<LoadedDemo["logins"]> {
  const { actor, db, features, ids, seed, startGrade } = options;
  const renewed: LoadedDemo["logins"][number][] = [];
  for (const login of createCity({ seed, startGrade }).logins) {
    if (!(await isOfDemo(db, features, login))) continue;
    const password = readablePassword(ids);
    await features.api(accountsApi).resetPassword(actor, login.username, password);
    renewed.push({ username: login.username, plays: login.plays, password });
  }
  return renewed;
}

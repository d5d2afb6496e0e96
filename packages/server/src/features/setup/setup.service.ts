import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "#config/index.ts";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import { weakSecrets } from "#core/secrets.ts";
import type { Clock, Database, Ids, Tx } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuthApi } from "#features/auth/auth.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import { setupErrors } from "./setup.contract.ts";
import * as repo from "./setup.repo.ts";

export interface SetupDeps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "next" | "secret">;
  readonly accounts: AccountsApi;
  readonly auth: AuthApi;
  readonly settings: SettingsApi;
  readonly sync: SyncApi;
}

interface FirstAdmin {
  readonly token: string;
  readonly username: string;
  readonly password: string;
  readonly licence?: string | undefined;
}

/** Processes that start within this time of each other print the same key. */
const sameStartMs = 60_000;

/**
 * Valid until an account can sign in, or until a later start. The nonce is in the database, which therefore does not
 * hold the key itself; only operators can read the log of the start, where it is printed.
 */
function tokenOf(cookieSecret: string, nonce: string): string {
  return createHmac("sha256", cookieSecret).update(`rollcall first admin\n${nonce}`).digest("base64url").slice(0, 32);
}

function same(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac("sha256", "compare").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** Creates the first admin of an instance. */
export class SetupService {
  readonly #deps: SetupDeps;
  /** Never false again: once an account can sign in, there is always one that can. */
  #done = false;

  constructor(deps: SetupDeps) {
    this.#deps = deps;
  }

  async state(): Promise<{ needed: boolean }> {
    return { needed: await this.#needed() };
  }

  /** Throws unless this token creates the first admin now. */
  async check(token: string): Promise<void> {
    if (!(await this.#needed())) throw new AppError(setupErrors.notNeeded);
    const nonces = await this.#deps.db.read("setup.nonces", repo.nonces);
    if (!nonces.some((nonce) => same(token, this.#tokenOf(nonce)))) throw new AppError(setupErrors.tokenWrong);
  }

  async begin(call: CallContext, admin: FirstAdmin): Promise<void> {
    const { accounts, auth, ids, settings } = this.#deps;
    await this.check(admin.token);
    const { actor } = call;
    const { username, password } = admin;
    const licence = bareLicence(admin.licence ?? `setup-${ids.next().toLowerCase()}`);
    const { id } = await accounts.create(actor, { licence, username, password }, async (tx) => {
      await this.#appoint(tx, actor, licence);
    });
    this.#done = true;
    await settings.current();
    await auth.signIn(call, id, "setup");
  }

  async sync() {
    const { config, db, sync } = this.#deps;
    return {
      enabled: config.sync.enabled,
      tokens: config.sync.apiTokens.length,
      weakSecrets: weakSecrets(config).map(({ option }) => option),
      lastDataAt: await db.read("setup.sync", async (tx) => await sync.lastDataAt(tx)),
    };
  }

  async received() {
    const { db, sync } = this.#deps;
    return await db.read("setup.received", async (tx) => ({
      kinds: await sync.counts(tx),
      lastDataAt: await sync.lastDataAt(tx),
    }));
  }

  /** Makes the key of this start. */
  async start(): Promise<void> {
    if (await this.#needed()) await this.#renew();
  }

  /** With the key of the last start; null when somebody can sign in. */
  async address(): Promise<string | null> {
    if (!(await this.#needed())) return null;
    const { config, db } = this.#deps;
    const [nonce] = await db.read("setup.address", repo.nonces);
    return nonce === undefined ? null : `${config.http.publicURL.replace(/\/$/, "")}/setup#${this.#tokenOf(nonce)}`;
  }

  #tokenOf(nonce: string): string {
    return tokenOf(this.#deps.config.http.sessions.cookieSecret, nonce);
  }

  /** Keys that earlier starts left in logs open nothing any more. */
  async #renew(): Promise<string> {
    const { clock, db, ids } = this.#deps;
    return await db.write("setup.renew", async (tx) => {
      const now = clock.now();
      await repo.forgetBefore(tx, now - sameStartMs);
      const [known] = await repo.nonces(tx);
      if (known !== undefined) return known;
      const nonce = ids.secret(16);
      await repo.add(tx, nonce, now);
      return nonce;
    });
  }

  /** In the unit of work that creates the login: a refused attempt leaves nobody with powers. */
  async #appoint(tx: Tx, actor: Actor, licence: string): Promise<void> {
    const { accounts, settings } = this.#deps;
    // Before anybody had a login, only refused attempts of version 0.1 wrote to the list.
    const fresh = !(await accounts.hasLogin(tx));
    await settings.change(tx, actor, ({ auth, ...before }) => ({
      ...before,
      auth: { ...auth, configAdminUsers: fresh ? [licence] : [...new Set([...auth.configAdminUsers, licence])] },
    }));
    // Last: of two attempts at once, the second conflicts over the version of the settings, or sees the login here.
    if (await accounts.hasLogin(tx, { enabled: true })) throw new AppError(setupErrors.notNeeded);
    await repo.forgetAll(tx);
  }

  async #needed(): Promise<boolean> {
    if (this.#done) return false;
    return await this.#deps.db.read("setup.state", async (tx) => await this.#lacksLogin(tx));
  }

  async #lacksLogin(tx: Tx): Promise<boolean> {
    const found = await this.#deps.accounts.hasLogin(tx, { enabled: true });
    this.#done ||= found;
    return !this.#done;
  }
}

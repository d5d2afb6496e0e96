import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "#config/index.ts";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import { countShort } from "#core/secrets.ts";
import type { Database, Log, Tx } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuthApi } from "#features/auth/auth.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import { setupErrors } from "./setup.contract.ts";

export interface SetupDeps {
  readonly config: Config;
  readonly db: Database;
  readonly log: Log;
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

/**
 * Valid until an account can sign in. Every process of an installation derives the same one from the
 * cookie secret; only operators can read the log of the start, where it is printed.
 */
function tokenOf(cookieSecret: string): string {
  return createHmac("sha256", cookieSecret).update("rollcall first admin").digest("base64url").slice(0, 32);
}

function same(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac("sha256", "compare").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** Creates the first admin of an instance. */
export class SetupService {
  readonly #deps: SetupDeps;
  readonly #token: string;
  /** Never false again: once an account can sign in, there is always one that can. */
  #done = false;

  constructor(deps: SetupDeps) {
    this.#deps = deps;
    this.#token = tokenOf(deps.config.http.sessions.cookieSecret);
  }

  async state(): Promise<{ needed: boolean }> {
    return { needed: await this.#needed() };
  }

  async begin(call: CallContext, admin: FirstAdmin): Promise<void> {
    const { accounts, auth, db, settings } = this.#deps;
    if (!(await this.#needed())) throw new AppError(setupErrors.notNeeded);
    if (!same(admin.token, this.#token)) throw new AppError(setupErrors.tokenWrong);
    const actor: Actor = call.actor;
    // The power before the login: when the setup is interrupted in between, it is still needed and can be repeated.
    const licence = bareLicence(admin.licence ?? `setup-${this.#token.slice(0, 12)}`);
    await db.write("setup.begin", async (tx) => {
      await settings.change(tx, actor, (before) => ({
        ...before,
        auth: { ...before.auth, configAdminUsers: [...new Set([...before.auth.configAdminUsers, licence])] },
      }));
    });
    const { id } = await accounts.create(actor, { licence, username: admin.username, password: admin.password });
    this.#done = true;
    await settings.current();
    await auth.signIn(call, id, "setup");
  }

  async sync() {
    const { config, db, sync } = this.#deps;
    return {
      enabled: config.sync.enabled,
      tokens: config.sync.apiTokens.length,
      shortTokens: countShort(config.sync.apiTokens),
      lastDataAt: await db.read("setup.sync", async (tx) => await sync.lastDataAt(tx)),
    };
  }

  /** Logs the address of the setup page for the operator. */
  async start(): Promise<void> {
    if (!(await this.#needed())) return;
    const { config, log } = this.#deps;
    const address = `${config.http.publicURL.replace(/\/$/, "")}/setup#${this.#token}`;
    log.info({}, `nobody can sign in yet: open ${address} to create the first admin`);
  }

  async #needed(): Promise<boolean> {
    if (this.#done) return false;
    return await this.#deps.db.read("setup.state", async (tx) => await this.#lacksLogin(tx));
  }

  async #lacksLogin(tx: Tx): Promise<boolean> {
    const found = (await this.#deps.accounts.list(tx)).some(({ hasPassword, enabled }) => hasPassword && enabled);
    this.#done ||= found;
    return !this.#done;
  }
}

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "#config/index.ts";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
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
 * Good while nobody can sign in. Every process of an installation knows the same one, derived from the
 * cookie secret; who may read the log of the start is an operator.
 */
function tokenOf(cookieSecret: string): string {
  return createHmac("sha256", cookieSecret).update("rollcall first admin").digest("base64url").slice(0, 32);
}

function same(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac("sha256", "compare").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

export function createSetupService(deps: SetupDeps) {
  const { config } = deps;
  const token = tokenOf(config.http.sessions.cookieSecret);
  /** Once somebody can sign in, somebody always can. */
  let done = false;

  async function needed(tx: Tx): Promise<boolean> {
    if (!done) done = (await deps.accounts.list(tx)).some(({ hasPassword, enabled }) => hasPassword && enabled);
    return !done;
  }

  const isNeeded = async () => done === false && (await deps.db.read("setup.state", needed));

  return {
    state: async () => ({ needed: await isNeeded() }),

    async begin(call: CallContext, admin: FirstAdmin): Promise<void> {
      if (!(await isNeeded())) throw new AppError(setupErrors.notNeeded);
      if (!same(admin.token, token)) throw new AppError(setupErrors.tokenWrong);
      const actor: Actor = call.actor;
      // The power comes before the login: a start that is broken off in between still lacks its admin and is begun again.
      const licence = bareLicence(admin.licence ?? `setup-${token.slice(0, 12)}`);
      await deps.db.write("setup.begin", async (tx) => {
        await deps.settings.change(tx, actor, ({ auth, ...settings }) => ({
          ...settings,
          auth: { ...auth, configAdminUsers: [...new Set([...auth.configAdminUsers, licence])] },
        }));
      });
      const { id } = await deps.accounts.create(actor, { licence, username: admin.username, password: admin.password });
      done = true;
      await deps.settings.current();
      await deps.auth.signIn(call, id, "setup");
    },

    sync: async () => ({
      enabled: config.sync.enabled,
      tokens: config.sync.apiTokens.length,
      lastDataAt: await deps.db.read("setup.sync", deps.sync.lastDataAt),
    }),

    /** Tells an operator the way in. */
    async start(): Promise<void> {
      if (!(await isNeeded())) return;
      const address = `${config.http.publicURL.replace(/\/$/, "")}/setup#${token}`;
      deps.log.info({}, `nobody can sign in yet: open ${address} to make the first admin`);
    },
  };
}

export type SetupService = ReturnType<typeof createSetupService>;

import { createHash } from "node:crypto";
import { CachedMap } from "#core/cached.ts";
import { days } from "#core/contract/index.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AccessApi, AdminPowers } from "#features/access/access.api.ts";
import type { Account, AccountsApi } from "#features/accounts/accounts.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { Settings } from "#features/settings/settings.contract.ts";
import type { AccountInfo } from "./auth.contract.ts";
import { find as findFactor } from "./auth.factor.repo.ts";
import { accountsOf, characterId, findSession, type SessionRow, setSessionSecrets, touchSessions } from "./auth.repo.ts";

/** A session that was not used for this long ends. */
export const sessionIdleMs = 7 * 24 * 60 * 60_000;
/** How long a session lasts at most, however often it is used. */
export const longestOf = ({ sessionDays }: Pick<Settings["auth"], "sessionDays">) => days(sessionDays);
/** Use is noted in this process and stored for all sessions together, this often. */
const touchMs = 30_000;
const touchedPerStatement = 500;
/** How long what is cached of a session or a character is used when no event invalidated it. */
export const cacheTtlMs = 2000;
export const maxCached = 20_000;

export interface SessionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: AccountsApi;
  readonly access: AccessApi;
  readonly settings: SettingsApi;
  /** Of the secrets of this process. */
  readonly secretsFingerprint: () => string;
}

/** A session that may be used. */
export interface LiveSession {
  /** `expires_at` is no later than the end that the setting `auth.sessionDays` gives it. */
  readonly session: SessionRow;
  readonly account: Account;
  /** Whether this session showed a code of the second factor that the account has, so that admin powers may depend on it. */
  readonly factorShown: boolean;
  /** The only character that the last-character lock lets it choose, null for any. */
  readonly lockedTo: number | null;
}

/** The stored id of a session: the cookie holds the secret, the table only its hash. */
export function storedId(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Looks sessions up, through a cache whose entries expire after two seconds or with an event. */
export class SessionsService {
  readonly #deps: SessionsDeps;
  readonly #sessions: CachedMap<string, LiveSession | null>;
  readonly #usedAt = new Map<string, number>();
  #flushing: { cancel(): void } | null = null;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#sessions = new CachedMap({ clock: deps.clock, ttlMs: cacheTtlMs, max: maxCached });
  }

  /** By its stored id; null when it is unknown, ended, expired or of another epoch, or when its account may not sign in. */
  async find(id: string): Promise<LiveSession | null> {
    const cached = this.#sessions.fresh(id);
    if (cached != null && cached.session.expires_at > this.#deps.clock.now()) return cached;
    // A refusal is not used from the cache: the session may be usable a moment later.
    if (cached !== undefined) this.#sessions.invalidate(id);
    return await this.#sessions.get(id, async () => await this.#load(id));
  }

  async account(sessionId: string): Promise<Account | null> {
    return (await this.find(sessionId))?.account ?? null;
  }

  async info(sessionId: string): Promise<AccountInfo | null> {
    const found = await this.find(sessionId);
    return found && this.infoFor(found.account, found.factorShown);
  }

  infoFor(account: Account, factorShown: boolean): AccountInfo {
    return { id: account.id, username: account.username ?? "", ...this.powersOf({ account, factorShown }) };
  }

  powersOf({
    account,
    factorShown,
  }: Pick<LiveSession, "account" | "factorShown">): AdminPowers & { factorNeededForAdmin: boolean } {
    const { access, settings } = this.#deps;
    const powers = access.powersOf(account);
    const withheld = settings.known().auth.secondFactorForAdmins && !factorShown && (powers.configAdmin || powers.mayJobAdmin);
    return withheld
      ? { configAdmin: false, mayJobAdmin: false, factorNeededForAdmin: true }
      : { ...powers, factorNeededForAdmin: false };
  }

  async locked(sessionId: string, characterId: number): Promise<boolean> {
    const found = await this.find(sessionId);
    return found !== null && this.lockedFor(found, characterId);
  }

  /** Whether the last-character lock keeps the account from choosing this character; admins are exempt. */
  lockedFor(session: LiveSession, characterId: number): boolean {
    const { lockedTo } = session;
    if (lockedTo === null || lockedTo === characterId || !this.#deps.settings.known().auth.lastCharacterLock) return false;
    const { configAdmin, mayJobAdmin } = this.powersOf(session);
    return !configAdmin && !mayJobAdmin;
  }

  /** When this process last noted a use that may not be stored yet; 0 for none. Milliseconds UTC. */
  usedAt(id: string): number {
    return this.#usedAt.get(id) ?? 0;
  }

  /** Stores the uses that were noted. */
  async flush(): Promise<void> {
    this.#flushing?.cancel();
    this.#flushing = null;
    const { accounts, clock, db } = this.#deps;
    const now = clock.now();
    const ids = [...this.#usedAt.keys()];
    this.#usedAt.clear();
    for (let i = 0; i < ids.length; i += touchedPerStatement) {
      const chunk = ids.slice(i, i + touchedPerStatement);
      await db.write("auth.touch", async (tx) => await touchSessions(tx, chunk, now, now + sessionIdleMs));
      // Apart, because what ends the sessions of an account locks the account first.
      await db.write("auth.seen", async (tx) => await accounts.noteSeen(tx, await accountsOf(tx, chunk), now));
    }
  }

  invalidateAll(): void {
    this.#sessions.invalidateAll();
  }

  invalidate(ids: readonly string[]): void {
    for (const id of ids) this.#sessions.invalidate(id);
  }

  invalidateAccount(accountId: number): void {
    this.#sessions.invalidateWhere((found) => found?.account.id === accountId);
  }

  async #load(id: string): Promise<LiveSession | null> {
    const { accounts, clock, db, settings } = this.#deps;
    const now = clock.now();
    const { auth } = await settings.current();
    const found = await db.read("auth.session", async (tx): Promise<LiveSession | null> => {
      const stored = await findSession(tx, id);
      if (stored === null) return null;
      const session = { ...stored, expires_at: Math.min(stored.expires_at, stored.created_at + longestOf(auth)) };
      if (session.ended_at !== null || session.expires_at <= now) return null;
      const account = await accounts.byId(tx, session.account_id);
      if (account?.enabled !== true || session.account_epoch !== account.sessionEpoch) return null;
      const counts = auth.secondFactorForAdmins && session.factor_at !== null;
      const factorShown = counts && (await findFactor(tx, account.id))?.confirmed_at != null;
      const lockedTo = auth.lastCharacterLock ? await this.#lockedTo(tx, account) : null;
      return { session, account, factorShown, lockedTo };
    });
    if (!found || !(await this.#ofTheseSecrets(found.session))) return null;
    this.#touch(id, now);
    return found;
  }

  async #lockedTo(tx: Tx, account: Account): Promise<number | null> {
    const reported = account.gameCharacter === null ? null : await characterId(tx, account.gameCharacter);
    return reported ?? account.lastCharacterId;
  }

  /**
   * A session of other secrets is refused and stays as it is: processes with those secrets may serve at
   * the same time, or again later.
   */
  async #ofTheseSecrets({ id, secrets }: SessionRow): Promise<boolean> {
    const { db, secretsFingerprint } = this.#deps;
    if (secrets !== null) return secrets === secretsFingerprint();
    return await db.write("auth.stampSession", async (tx) => await setSessionSecrets(tx, id, secretsFingerprint()));
  }

  #touch(id: string, now: number): void {
    this.#usedAt.set(id, now);
    this.#flushing ??= this.#deps.clock.setTimeout(() => {
      this.#flushing = null;
      void this.flush().catch(() => undefined);
    }, touchMs);
  }
}

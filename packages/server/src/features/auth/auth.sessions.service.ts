import { createHash } from "node:crypto";
import type { AccountActor, Viewer } from "#core/actor.ts";
import type { Authenticator, CallOrigin, Clock, Database, Tx } from "#core/ports/index.ts";
import type { AccessApi, AdminPowers } from "#features/access/access.api.ts";
import type { Account, AccountsApi } from "#features/accounts/accounts.api.ts";
import type { CharacterRecord, CitizensApi } from "#features/citizens/citizens.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { AccountInfo } from "./auth.contract.ts";
import { find as findFactor } from "./auth.factor.repo.ts";
import { characterId, findSession, type SessionRow, touchSessions } from "./auth.repo.ts";
import { standingOf } from "./auth.seeas.policy.ts";
import type { UserTokens } from "./auth.token.service.ts";

/** A session that nobody used for this long ends. */
export const sessionIdleMs = 7 * 24 * 60 * 60_000;
/** Use is noted in this process and written down for all sessions together, this often. */
const touchMs = 30_000;
const touchedAtOnce = 500;
/** What this process knows of a session is trusted this long when no event said otherwise. */
const trustMs = 2000;
const mostKept = 20_000;

export interface SessionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: AccountsApi;
  readonly access: AccessApi;
  readonly citizens: CitizensApi;
  readonly jobs: JobsApi;
  readonly settings: SettingsApi;
  readonly tokens: UserTokens;
}

interface Known {
  readonly session: SessionRow;
  readonly account: Account;
  /** Whether it has a second factor, so that admin powers may depend on it. */
  readonly factor: boolean;
  /** The only character that the last-character lock lets it choose, null for any. */
  readonly lockedTo: number | null;
  readonly at: number;
}

interface KnownCharacter {
  readonly character: CharacterRecord | null;
  readonly at: number;
}

/** The stored id of a session: the cookie holds the secret, the table only its hash. */
export function storedId(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Answers who is calling, from a copy in this process that lives two seconds or until an event. */
export function createSessions(deps: SessionsDeps) {
  const sessions = new Map<string, Known>();
  const characters = new Map<number, KnownCharacter>();

  const touched = new Map<string, number>();
  let flushing: { cancel(): void } | null = null;

  function touch(id: string, now: number): void {
    touched.set(id, now);
    flushing ??= deps.clock.setTimeout(() => {
      flushing = null;
      void flush().catch(() => undefined);
    }, touchMs);
  }

  async function flush(): Promise<void> {
    flushing?.cancel();
    flushing = null;
    const now = deps.clock.now();
    const ids = [...touched.keys()];
    touched.clear();
    for (let i = 0; i < ids.length; i += touchedAtOnce) {
      const part = ids.slice(i, i + touchedAtOnce);
      await deps.db.write("auth.touch", async (tx) => await touchSessions(tx, part, now, now + sessionIdleMs));
    }
  }

  async function lockedTo(tx: Tx, account: Account): Promise<number | null> {
    const reported = account.gameCharacter === null ? null : await characterId(tx, account.gameCharacter);
    return reported ?? account.lastCharacterId;
  }

  async function load(id: string): Promise<Known | null> {
    const now = deps.clock.now();
    const { auth } = await deps.settings.current();
    const found = await deps.db.read("auth.session", async (tx) => {
      const session = await findSession(tx, id);
      if (!session || session.ended_at !== null || session.expires_at <= now) return null;
      const account = await deps.accounts.byId(tx, session.account_id);
      if (account?.enabled !== true) return null;
      const factor = auth.secondFactorForAdmins && (await findFactor(tx, account.id))?.confirmed_at != null;
      const only = auth.lastCharacterLock ? await lockedTo(tx, account) : null;
      return { session, account, factor, lockedTo: only, at: deps.clock.monotonic() };
    });
    if (!found) {
      sessions.delete(id);
      return null;
    }
    if (sessions.size >= mostKept) sessions.clear();
    sessions.set(id, found);
    touch(id, now);
    return found;
  }

  function powersOf({ account, factor }: Pick<Known, "account" | "factor">): AdminPowers & { factorNeededForAdmin: boolean } {
    const powers = deps.access.powersOf(account);
    const held = deps.settings.known().auth.secondFactorForAdmins && !factor && (powers.configAdmin || powers.mayJobAdmin);
    return held
      ? { configAdmin: false, mayJobAdmin: false, factorNeededForAdmin: true }
      : { ...powers, factorNeededForAdmin: false };
  }

  const infoFor = (account: Account, factor: boolean): AccountInfo => ({
    id: account.id,
    username: account.username ?? "",
    ...powersOf({ account, factor }),
  });

  /** Whether the last-character lock keeps this character from the account; admins are exempt. */
  function locked(entry: Known, characterId: number): boolean {
    if (entry.lockedTo === null || entry.lockedTo === characterId || !deps.settings.known().auth.lastCharacterLock) return false;
    const { configAdmin, mayJobAdmin } = powersOf(entry);
    return !configAdmin && !mayJobAdmin;
  }

  async function known(id: string): Promise<Known | null> {
    const copy = sessions.get(id);
    const fresh = copy !== undefined && deps.clock.monotonic() - copy.at < trustMs && copy.session.expires_at > deps.clock.now();
    return fresh ? copy : await load(id);
  }

  async function character(id: number): Promise<CharacterRecord | null> {
    const copy = characters.get(id);
    if (copy !== undefined && deps.clock.monotonic() - copy.at < trustMs) return copy.character;
    const found = await deps.db.read("auth.character", async (tx) => await deps.citizens.character(tx, id));
    if (characters.size >= mostKept) characters.clear();
    characters.set(id, { character: found, at: deps.clock.monotonic() });
    return found;
  }

  function actorOf(entry: Known, from: CallOrigin): AccountActor {
    const { session, account } = entry;
    const { configAdmin, mayJobAdmin } = powersOf(entry);
    return {
      accountId: account.id,
      username: account.username ?? "",
      licence: account.licence,
      groups: account.groups,
      sessionId: session.id,
      configAdmin,
      mayJobAdmin,
      address: from.address,
      userAgent: from.userAgent,
      traceId: from.traceId,
    };
  }

  async function viewerOf(entry: Known, who: CharacterRecord, from: CallOrigin): Promise<Viewer> {
    const account = actorOf(entry, from);
    const { session } = entry;
    const top = session.admin_job === null ? 0 : await topGrade(session.admin_job);
    const own = { job: who.job.name, grade: who.job.grade };
    const { rightsOf, ...standing } = standingOf(session, own, account.mayJobAdmin, top, deps.clock.now());
    const rights = await deps.access.rightsOf(rightsOf);
    const mode = standing.jobAdmin ? `@${session.admin_job}` : standing.seeAs ? `~${standing.grade}` : "";
    const powers = `${account.configAdmin ? "c" : ""}${account.mayJobAdmin ? "j" : ""}${mode}`;
    return {
      ...account,
      characterId: who.id,
      characterName: `${who.firstName} ${who.lastName}`.trim(),
      ...standing,
      rights: { ...rights, epoch: `${rights.epoch}${powers}` },
    };
  }

  async function topGrade(job: string): Promise<number> {
    const info = await deps.db.read("auth.topGrade", async (tx) => await deps.jobs.job(tx, job));
    return info?.grades.at(-1)?.grade ?? 0;
  }

  /** Null unless the character is live and belongs to the account's licence. */
  async function viewer(sessionId: string, characterId: number, from: CallOrigin): Promise<Viewer | null> {
    const entry = await known(sessionId);
    if (!entry || locked(entry, characterId)) return null;
    const who = await character(characterId);
    if (!who || who.licence !== entry.account.licence || who.licence === "") return null;
    return await viewerOf(entry, who, from);
  }

  /** The viewer of a token with the time at which the token ends, for a connection that outlives a request. */
  async function byToken(text: string, from: CallOrigin): Promise<{ viewer: Viewer; expiresAt: number } | "expired" | "invalid"> {
    const token = await deps.tokens.verify(text);
    if (typeof token === "string") return token;
    const entry = await known(token.sessionId);
    // The next token names the reason, which a refused one cannot.
    if (entry && locked(entry, token.characterId)) return "expired";
    const found = await viewer(token.sessionId, token.characterId, from);
    if (found?.accountId !== token.accountId) return "invalid";
    return found.rights.epoch === token.rightsEpoch ? { viewer: found, expiresAt: token.expiresAt } : "expired";
  }

  const authenticator: Authenticator = {
    async bySession(secret, from) {
      const entry = await known(storedId(secret));
      return entry ? actorOf(entry, from) : null;
    },
    async byUserToken(text, from) {
      const found = await byToken(text, from);
      return typeof found === "string" ? found : found.viewer;
    },
  };

  return {
    authenticator,
    byToken,
    viewer,
    account: async (sessionId: string) => (await known(sessionId))?.account ?? null,
    async info(sessionId: string): Promise<AccountInfo | null> {
      const entry = await known(sessionId);
      return entry && infoFor(entry.account, entry.factor);
    },
    infoFor,
    async locked(sessionId: string, characterId: number): Promise<boolean> {
      const entry = await known(sessionId);
      return entry !== null && locked(entry, characterId);
    },
    /** When a session was used last, as far as this process knows better than the table. */
    usedAt: (id: string) => touched.get(id) ?? 0,
    flush,
    forgetAll: () => sessions.clear(),
    forgetSessions: (ids: readonly string[]) => ids.forEach((id) => sessions.delete(id)),
    forgetAccount(accountId: number) {
      for (const [id, entry] of sessions) if (entry.account.id === accountId) sessions.delete(id);
    },
    forgetCharacters: (ids: readonly number[]) => ids.forEach((id) => characters.delete(id)),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

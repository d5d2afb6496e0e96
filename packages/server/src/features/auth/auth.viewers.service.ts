import type { AccountActor, Actor, Viewer } from "#core/actor.ts";
import { CachedMap } from "#core/cached.ts";
import type { Authenticator, CallOrigin, Clock, Database } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import type { CharacterRecord, CitizensApi } from "#features/citizens/citizens.api.ts";
import type { JobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { standingEnd, standingOf } from "./auth.seeas.policy.ts";
import { cacheTtlMs, type LiveSession, maxCached, type SessionsService, storedId } from "./auth.sessions.service.ts";
import type { UserTokens } from "./auth.token.service.ts";

export interface ViewersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly access: AccessApi;
  readonly citizens: CitizensApi;
  readonly jobgroups: Pick<JobgroupsApi, "heldBy">;
  readonly jobs: JobsApi;
  readonly tokens: UserTokens;
  readonly sessions: SessionsService;
}

/** Authenticates callers: the account of a session cookie, the character of a user token. */
export class ViewersService {
  readonly authenticator: Authenticator = {
    bySession: async (secret, from) => {
      const session = await this.#deps.sessions.find(storedId(secret));
      return session && this.#actorOf(session, from);
    },
    byUserToken: async (text, from) => {
      const found = await this.byToken(text, from);
      return typeof found === "string" ? found : found.viewer;
    },
    idOfSession: storedId,
    sessionOfToken: async (text) => await this.#deps.tokens.sessionOf(text),
  };
  readonly #deps: ViewersDeps;
  readonly #characters: CachedMap<number, CharacterRecord | null>;

  constructor(deps: ViewersDeps) {
    this.#deps = deps;
    this.#characters = new CachedMap({ clock: deps.clock, ttlMs: cacheTtlMs, max: maxCached });
  }

  /** Null unless the character is live and belongs to the account's licence. */
  async viewer(sessionId: string, characterId: number, from: CallOrigin): Promise<Viewer | null> {
    const { sessions } = this.#deps;
    const session = await sessions.find(sessionId);
    if (!session || sessions.lockedFor(session, characterId)) return null;
    const character = await this.#character(characterId);
    if (!character || character.licence !== session.account.licence || character.licence === "") return null;
    return await this.#viewerOf(session, character, from);
  }

  /** With null as the character, the account alone; null when the session has ended or the character is not its own. */
  async present(sessionId: string, characterId: number | null, from: CallOrigin): Promise<Actor | null> {
    if (characterId !== null) {
      const viewer = await this.viewer(sessionId, characterId, from);
      return viewer && { kind: "character", ...viewer };
    }
    const session = await this.#deps.sessions.find(sessionId);
    return session && { kind: "account", ...this.#actorOf(session, from) };
  }

  /** For a connection that outlives a request: the viewer, and when the token expires (milliseconds UTC). */
  async byToken(text: string, from: CallOrigin): Promise<{ viewer: Viewer; expiresAt: number } | "expired" | "invalid"> {
    const { sessions, tokens } = this.#deps;
    const token = await tokens.verify(text);
    if (typeof token === "string") return token;
    const session = await sessions.find(token.sessionId);
    // The client asks for another token, and that call answers with the reason.
    if (session && sessions.lockedFor(session, token.characterId)) return "expired";
    const viewer = await this.viewer(token.sessionId, token.characterId, from);
    if (viewer?.accountId !== token.accountId) return "invalid";
    if (viewer.rights.epoch !== token.rightsEpoch) return "expired";
    return { viewer, expiresAt: Math.min(token.expiresAt, viewer.standingUntil ?? Infinity) };
  }

  invalidateAll(): void {
    this.#characters.invalidateAll();
  }

  invalidateCharacters(ids: readonly number[]): void {
    for (const id of ids) this.#characters.invalidate(id);
  }

  async #character(id: number): Promise<CharacterRecord | null> {
    const { citizens, db } = this.#deps;
    const load = async () => await db.read("auth.character", async (tx) => await citizens.character(tx, id));
    return await this.#characters.get(id, load);
  }

  #actorOf(found: LiveSession, from: CallOrigin): AccountActor {
    const { access, sessions } = this.#deps;
    const { session, account } = found;
    const { configAdmin, mayJobAdmin } = sessions.powersOf(found);
    return {
      accountId: account.id,
      username: account.username ?? "",
      licence: account.licence,
      groups: access.groupsInForce(account),
      sessionId: session.id,
      configAdmin,
      mayJobAdmin,
      address: from.address,
      userAgent: from.userAgent,
      traceId: from.traceId,
    };
  }

  async #viewerOf(found: LiveSession, character: CharacterRecord, from: CallOrigin): Promise<Viewer> {
    const { access, clock, jobgroups } = this.#deps;
    const account = this.#actorOf(found, from);
    const { session } = found;
    const topGrade = session.admin_job === null ? 0 : await this.#topGrade(session.admin_job);
    const own = { job: character.job.name, grade: character.job.grade };
    const all = standingOf(session, own, account.mayJobAdmin, topGrade, clock.now());
    const { rightsOf, ...standing } = all;
    const rights = await access.rightsOf(rightsOf);
    const mode = standing.jobAdmin ? `@${session.admin_job}` : standing.seeAs ? `~${standing.grade}` : "";
    const powers = `${account.configAdmin ? "c" : ""}${account.mayJobAdmin ? "j" : ""}${mode}`;
    return {
      ...account,
      characterId: character.id,
      characterName: `${character.firstName} ${character.lastName}`.trim(),
      ...standing,
      standingUntil: standingEnd(session, all),
      jobGroups: await jobgroups.heldBy(character.id, standing.job),
      rights: { ...rights, epoch: `${rights.epoch}${powers}` },
    };
  }

  async #topGrade(job: string): Promise<number> {
    const { db, jobs } = this.#deps;
    const info = await db.read("auth.topGrade", async (tx) => await jobs.job(tx, job));
    return info?.grades.at(-1)?.grade ?? 0;
  }
}

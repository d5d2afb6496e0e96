import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { CharacterRecord, CitizensApi } from "#features/citizens/citizens.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type AccountInfo, authErrors, type Character } from "./auth.contract.ts";
import type { SessionsService } from "./auth.sessions.service.ts";
import type { UserTokens } from "./auth.token.service.ts";
import type { ViewersService } from "./auth.viewers.service.ts";

export interface CharactersDeps {
  readonly db: Database;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly citizens: CitizensApi;
  readonly jobs: JobsApi;
  readonly sessions: SessionsService;
  readonly tokens: UserTokens;
  readonly viewers: ViewersService;
}

function characterOf({ id, firstName, lastName, dateOfBirth, sex, job }: CharacterRecord): Character {
  return { id, firstName, lastName, dateOfBirth, sex, job };
}

/** Lists the characters of an account, and issues the user token for the one it chooses. */
export class CharactersService {
  readonly #deps: CharactersDeps;

  constructor(deps: CharactersDeps) {
    this.#deps = deps;
  }

  async list(call: CallContext) {
    const { accounts, citizens, db, sessions } = this.#deps;
    const actor = call.account();
    const info = await this.#infoOf(actor.sessionId);
    const { account, found } = await db.read("auth.characters", async (tx) => ({
      account: await accounts.byId(tx, actor.accountId),
      found: await citizens.charactersOf(tx, actor.licence),
    }));
    const list = [];
    for (const one of found) {
      list.push({
        ...characterOf(one),
        lastUsed: one.id === account?.lastCharacterId,
        locked: await sessions.locked(actor.sessionId, one.id),
      });
    }
    list.sort((a, b) => Number(b.lastUsed) - Number(a.lastUsed));
    return { account: info, characters: list };
  }

  /** A user token for a character of the caller. */
  async choose(call: CallContext, characterId: number) {
    const { citizens, db, jobs, sessions, tokens, viewers } = this.#deps;
    const actor = call.account();
    if (await sessions.locked(actor.sessionId, characterId)) throw new AppError(authErrors.characterLocked);
    const viewer = await viewers.viewer(actor.sessionId, characterId, call);
    if (!viewer) throw new AppError(authErrors.characterNotYours);
    await this.#remember(call, characterId);
    const [character, gradeLabel] = await db.read("auth.token", async (tx) => [
      await citizens.character(tx, characterId),
      viewer.seeAs ? (await jobs.labels(tx)).badge(viewer.job, viewer.grade).gradeLabel : "",
    ]);
    if (!character) throw new AppError(authErrors.characterNotYours);
    const { text, expiresAt } = await tokens.sign({
      accountId: actor.accountId,
      characterId,
      sessionId: actor.sessionId,
      rightsEpoch: viewer.rights.epoch,
      until: Math.min(viewer.standingUntil ?? Infinity, (await sessions.find(actor.sessionId))?.session.expires_at ?? 0),
    });
    const secret = call.cookies.session();
    if (secret !== null) call.cookies.setSession(secret);
    return {
      token: text,
      expiresAt,
      account: await this.#infoOf(actor.sessionId),
      character: characterOf(character),
      rights: viewer.rights.all() as Record<string, Record<string, unknown>>,
      jobAdmin: viewer.jobAdmin && { job: viewer.job, ...viewer.jobAdmin },
      seeAs: viewer.seeAs ? { ...viewer.seeAs, job: viewer.job, grade: viewer.grade, gradeLabel } : null,
    };
  }

  /** The character that the account used last, in the database. */
  async #remember(call: CallContext, characterId: number): Promise<void> {
    const { accounts, audit, db, sessions } = this.#deps;
    const actor = call.account();
    const account = await sessions.account(actor.sessionId);
    if (account?.lastCharacterId === characterId) return;
    await db.write("auth.chooseCharacter", async (tx) => {
      await accounts.rememberCharacter(tx, actor.accountId, characterId);
      await audit.record(tx, call.actor, {
        action: "auth.chooseCharacter",
        object: { kind: "citizen", id: characterId },
        before: { characterId: account?.lastCharacterId ?? null },
        after: { characterId },
      });
    });
    sessions.invalidate([actor.sessionId]);
  }

  async #infoOf(sessionId: string): Promise<AccountInfo> {
    const info = await this.#deps.sessions.info(sessionId);
    if (!info) throw new AppError(guardErrors.signInNeeded);
    return info;
  }
}

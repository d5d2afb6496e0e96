import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Outbox, Tx } from "#core/ports/index.ts";
import type { CharacterRecord } from "#features/citizens/citizens.api.ts";
import type { SignInState } from "./auth.api.ts";
import type { AccountInfo, Character } from "./auth.contract.ts";
import { authErrors, sessionsChanged } from "./auth.contract.ts";
import { createLogin, type LoginDeps } from "./auth.login.service.ts";
import * as repo from "./auth.repo.ts";
import { createSeeAs } from "./auth.seeas.service.ts";
import { type Sessions, type SessionsDeps, storedId } from "./auth.sessions.service.ts";

export interface AuthDeps extends LoginDeps, SessionsDeps {
  readonly outbox: Outbox;
  readonly sessions: Sessions;
}

function characterOf({ id, firstName, lastName, dateOfBirth, sex, job }: CharacterRecord): Character {
  return { id, firstName, lastName, dateOfBirth, sex, job };
}

export function createAuthService(deps: AuthDeps) {
  const { login, openFor } = createLogin(deps);

  async function announce(tx: Tx, sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    await deps.outbox.emit(tx, sessionsChanged, {
      key: `session/${sessionIds[0]}`,
      version: deps.clock.now(),
      payload: { sessionIds: [...sessionIds] },
    });
    tx.afterCommit(() => deps.sessions.forgetSessions(sessionIds));
  }

  function infoOf(account: { accountId: number; username: string; configAdmin: boolean; mayJobAdmin: boolean }): AccountInfo {
    const { accountId, username, configAdmin, mayJobAdmin } = account;
    return { id: accountId, username, configAdmin, mayJobAdmin };
  }

  return {
    seeAs: createSeeAs({ ...deps, announce }),

    async login(call: CallContext, username: string, password: string) {
      const { account, secret } = await login(call, username, password);
      call.cookies.setSession(secret);
      return {
        account: { id: account.id, username: account.username ?? "", ...deps.access.powersOf(account) },
      };
    },

    async signIn(call: CallContext, accountId: number, method: string): Promise<SignInState> {
      call.cookies.setSession(await openFor(call, accountId, method));
      return "signedIn";
    },

    async logout(call: CallContext): Promise<void> {
      const secret = call.cookies.session();
      call.cookies.setSession(null);
      if (secret === null) return;
      const id = storedId(secret);
      await deps.db.write("auth.logout", async (tx) => {
        await repo.endSession(tx, id, deps.clock.now());
        await deps.audit.record(tx, call.actor, {
          action: "auth.logout",
          object: { kind: "session", id: id.slice(0, 12) },
        });
        await announce(tx, [id]);
      });
    },

    async characters(call: CallContext) {
      const actor = call.account();
      return await deps.db.read("auth.characters", async (tx) => {
        const account = await deps.accounts.byId(tx, actor.accountId);
        const found = await deps.citizens.charactersOf(tx, actor.licence);
        const list = found.map((one) => ({
          ...characterOf(one),
          lastUsed: one.id === account?.lastCharacterId,
        }));
        list.sort((a, b) => Number(b.lastUsed) - Number(a.lastUsed));
        return { account: infoOf(actor), characters: list };
      });
    },

    async token(call: CallContext, characterId: number) {
      const actor = call.account();
      const viewer = await deps.sessions.viewer(actor.sessionId, characterId, call);
      if (!viewer) throw new AppError(authErrors.characterNotYours);
      const account = await deps.sessions.account(actor.sessionId);
      if (account?.lastCharacterId !== characterId) {
        await deps.db.write("auth.chooseCharacter", async (tx) => {
          await deps.accounts.rememberCharacter(tx, actor.accountId, characterId);
          await deps.audit.record(tx, call.actor, {
            action: "auth.chooseCharacter",
            object: { kind: "citizen", id: characterId },
            before: { characterId: account?.lastCharacterId ?? null },
            after: { characterId },
          });
        });
        deps.sessions.forgetSessions([actor.sessionId]);
      }
      const [character, gradeLabel] = await deps.db.read("auth.token", async (tx) => [
        await deps.citizens.character(tx, characterId),
        viewer.seeAs ? (await deps.jobs.labels(tx)).badge(viewer.job, viewer.grade).gradeLabel : "",
      ]);
      if (!character) throw new AppError(authErrors.characterNotYours);
      const { text, expiresAt } = await deps.tokens.sign({
        accountId: actor.accountId,
        characterId,
        sessionId: actor.sessionId,
        rightsEpoch: viewer.rights.epoch,
      });
      const secret = call.cookies.session();
      if (secret !== null) call.cookies.setSession(secret);
      return {
        token: text,
        expiresAt,
        account: infoOf(viewer),
        character: characterOf(character),
        rights: viewer.rights.all() as Record<string, Record<string, unknown>>,
        jobAdmin: viewer.jobAdmin && { job: viewer.job, ...viewer.jobAdmin },
        seeAs: viewer.seeAs ? { ...viewer.seeAs, job: viewer.job, grade: viewer.grade, gradeLabel } : null,
      };
    },

    async enterJobAdmin(call: CallContext, input: { reason: string; job?: string; minutes?: number }) {
      const viewer: Viewer = call.viewer();
      if (!viewer.mayJobAdmin) throw new AppError(authErrors.jobAdminNotAllowed);
      const job = input.job ?? viewer.job;
      const until = deps.clock.now() + (input.minutes ?? 60) * 60_000;
      await deps.db.write("auth.enterJobAdmin", async (tx) => {
        const known = await deps.jobs.job(tx, job);
        if (!known && job !== viewer.job) throw new AppError(authErrors.jobUnknown, { params: { job } });
        await repo.setJobAdmin(tx, viewer.sessionId, { job, reason: input.reason, until });
        await deps.audit.record(tx, call.actor, {
          action: "auth.enterJobAdmin",
          object: { kind: "job", id: job },
          info: { reason: input.reason, until },
        });
        await announce(tx, [viewer.sessionId]);
      });
      return { job, reason: input.reason, until };
    },

    async leaveJobAdmin(call: CallContext): Promise<void> {
      const viewer = call.viewer();
      await deps.db.write("auth.leaveJobAdmin", async (tx) => {
        await repo.setJobAdmin(tx, viewer.sessionId, null);
        await deps.audit.record(tx, call.actor, {
          action: "auth.leaveJobAdmin",
          object: { kind: "job", id: viewer.job },
        });
        await announce(tx, [viewer.sessionId]);
      });
    },

    /** Ends every session of an account, for example after its password changed. */
    async endSessionsOf(tx: Tx, accountId: number): Promise<void> {
      await announce(tx, await repo.endSessionsOf(tx, accountId, deps.clock.now()));
    },

    /** Removes what nobody can use any more; runs until done. */
    async cleanUp(): Promise<void> {
      const now = deps.clock.now();
      for (;;) {
        const gone = await deps.db.write("auth.cleanUp", async (tx) => await repo.deleteDeadSessions(tx, now - 86_400_000, 500));
        if (gone < 500) break;
      }
      await deps.db.write("auth.cleanUp", async (tx) => await repo.deleteOldCounters(tx, now - 86_400_000));
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;

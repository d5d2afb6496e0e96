import type { Viewer } from "#core/actor.ts";
import { doorErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Outbox, Tx } from "#core/ports/index.ts";
import type { CharacterRecord } from "#features/citizens/citizens.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { AccountInfo, Character, SignedIn } from "./auth.contract.ts";
import { authErrors, rightsChanged, sessionsChanged } from "./auth.contract.ts";
import { createFactorService, type FactorDeps } from "./auth.factor.service.ts";
import { createLogin, type LoginDeps } from "./auth.login.service.ts";
import { createOwnService, createPasswordCheck } from "./auth.own.service.ts";
import * as repo from "./auth.repo.ts";
import { createSeeAs } from "./auth.seeas.service.ts";
import { type Sessions, type SessionsDeps, storedId } from "./auth.sessions.service.ts";

export interface AuthDeps extends Omit<LoginDeps, "announce">, SessionsDeps, Omit<FactorDeps, "login" | "confirmPassword"> {
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly notifications: NotificationsApi;
}

/** Characters looked up at once while telling people about changed roles. */
const portion = 400;
/** Somebody who edits a role saves often: one notification a job in this time. Milliseconds. */
const toldMs = 5 * 60_000;

function characterOf({ id, firstName, lastName, dateOfBirth, sex, job }: CharacterRecord): Character {
  return { id, firstName, lastName, dateOfBirth, sex, job };
}

export function createAuthService(deps: AuthDeps) {
  async function announce(tx: Tx, sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    await deps.outbox.emit(tx, sessionsChanged, {
      key: `session/${sessionIds[0]}`,
      version: deps.clock.now(),
      payload: { sessionIds: [...sessionIds] },
    });
    tx.afterCommit(() => deps.sessions.forgetSessions(sessionIds));
  }

  const login = createLogin({ ...deps, announce });
  const confirmPassword = createPasswordCheck({ ...deps, announce, login });
  const factor = createFactorService({ ...deps, login, confirmPassword });
  const own = createOwnService({ ...deps, announce, login, factor, confirmPassword });
  const told = new Map<string, number>();

  async function infoOf(sessionId: string): Promise<AccountInfo> {
    const info = await deps.sessions.info(sessionId);
    if (!info) throw new AppError(doorErrors.signInNeeded);
    return info;
  }

  return {
    seeAs: createSeeAs({ ...deps, announce }),
    own,
    factor,
    signIn: login.signIn,

    async login(call: CallContext, username: string, password: string): Promise<SignedIn> {
      const { account, state } = await login.login(call, username, password);
      return own.answer(state, account);
    },

    loginFactor: async (call: CallContext, code: string): Promise<SignedIn> =>
      own.answer("signedIn", await factor.signIn(call, code), true),

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
      const info = await infoOf(actor.sessionId);
      const { account, found } = await deps.db.read("auth.characters", async (tx) => ({
        account: await deps.accounts.byId(tx, actor.accountId),
        found: await deps.citizens.charactersOf(tx, actor.licence),
      }));
      const list = [];
      for (const one of found) {
        list.push({
          ...characterOf(one),
          lastUsed: one.id === account?.lastCharacterId,
          locked: await deps.sessions.locked(actor.sessionId, one.id),
        });
      }
      list.sort((a, b) => Number(b.lastUsed) - Number(a.lastUsed));
      return { account: info, characters: list };
    },

    async token(call: CallContext, characterId: number) {
      const actor = call.account();
      if (await deps.sessions.locked(actor.sessionId, characterId)) throw new AppError(authErrors.characterLocked);
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
        account: await infoOf(actor.sessionId),
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

    /** A session that was ended since the backup would live again, so all of them end. */
    restored: async (tx: Tx): Promise<void> => await repo.endAllSessions(tx, deps.clock.now()),

    /** Told once in a while, so that an evening of editing roles is one notification. */
    async tellRightsChanged(tx: Tx, job: string, fromGrade: number): Promise<void> {
      const now = deps.clock.now();
      if (job === "" || now - (told.get(job) ?? 0) < toldMs) return;
      const label = (await deps.jobs.job(tx, job))?.label ?? job;
      for (let after = 0; ;) {
        const characterIds = await repo.charactersInJob(tx, job, fromGrade, after, portion);
        const players = await repo.playersOf(tx, characterIds);
        await deps.notifications.notify(
          tx,
          rightsChanged,
          players.map((player) => ({ ...player, params: { job: label } })),
        );
        after = characterIds.at(-1) ?? 0;
        if (characterIds.length < portion) break;
      }
      tx.afterCommit(() => told.set(job, now));
    },

    forgetAccount: repo.forgetAccount,

    removeOld: {
      sessions: repo.deleteDeadSessions,
      failures: repo.deleteOldCounters,
      addresses: repo.deleteOldAddresses,
      agents: repo.deleteOldAgents,
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;

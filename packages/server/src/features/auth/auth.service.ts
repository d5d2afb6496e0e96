import type { CallContext } from "#core/feature.ts";
import type { Log, Outbox, Tx } from "#core/ports/index.ts";
import { type CharactersDeps, CharactersService } from "./auth.characters.service.ts";
import { sessionsChanged, type SignedIn } from "./auth.contract.ts";
import { type FactorDeps, FactorService } from "./auth.factor.service.ts";
import { type JobAdminDeps, JobAdminService } from "./auth.jobadmin.service.ts";
import { type LoginDeps, LoginService } from "./auth.login.service.ts";
import { SecurityNotifications, type SecurityNotificationsDeps } from "./auth.notifications.service.ts";
import type { EmitSessionsChanged } from "./auth.open.service.ts";
import { OwnAccountService } from "./auth.own.service.ts";
import { OwnerCheck } from "./auth.owner.service.ts";
import { PasswordCheck } from "./auth.password.service.ts";
import * as repo from "./auth.repo.ts";
import { RefusalFigures, type RefusalFiguresDeps } from "./auth.refusals.service.ts";
import { SeeAsService } from "./auth.seeas.service.ts";
import { storedId } from "./auth.sessions.service.ts";

export interface AuthDeps
  extends
    Omit<LoginDeps, "emitChanged">,
    Omit<FactorDeps, "login" | "passwordCheck" | "emitChanged">,
    Omit<JobAdminDeps, "emitChanged">,
    CharactersDeps,
    RefusalFiguresDeps,
    SecurityNotificationsDeps {
  readonly outbox: Outbox;
  readonly log: Log;
}

/** Signing in and out; gives access to the services of the other use cases. */
export class AuthService {
  readonly characters: CharactersService;
  readonly factor: FactorService;
  readonly jobAdmin: JobAdminService;
  readonly login: LoginService;
  readonly notifications: SecurityNotifications;
  readonly own: OwnAccountService;
  readonly owner: OwnerCheck;
  readonly refusals: RefusalFigures;
  readonly seeAs: SeeAsService;
  readonly purgeAccounts = repo.purgeAccounts;
  /** What removes the rows of each retention step. */
  readonly prune = {
    sessions: repo.pruneSessions,
    failures: repo.pruneCounters,
    addresses: repo.pruneAddresses,
    agents: repo.pruneAgents,
  };
  readonly #deps: AuthDeps;

  constructor(deps: AuthDeps) {
    this.#deps = deps;
    const emitChanged: EmitSessionsChanged = async (tx, ids) => await this.#emitChanged(tx, ids);
    const passwordCheck = new PasswordCheck(deps);
    this.characters = new CharactersService(deps);
    this.login = new LoginService({ ...deps, emitChanged });
    this.factor = new FactorService({ ...deps, emitChanged, login: this.login, passwordCheck });
    this.own = new OwnAccountService({ ...deps, emitChanged, login: this.login, factor: this.factor, passwordCheck });
    this.owner = new OwnerCheck({ ...deps, factor: this.factor, passwordCheck });
    this.refusals = new RefusalFigures(deps);
    this.seeAs = new SeeAsService({ ...deps, emitChanged });
    this.jobAdmin = new JobAdminService({ ...deps, emitChanged });
    this.notifications = new SecurityNotifications(deps);
  }

  async signIn(call: CallContext, username: string, password: string): Promise<SignedIn> {
    const { account, state } = await this.login.login(call, username, password);
    return this.own.answer(state, account);
  }

  async signInFactor(call: CallContext, code: string): Promise<SignedIn> {
    const { account, factorShown } = await this.factor.signIn(call, code);
    return this.own.answer("signedIn", account, factorShown);
  }

  async logout(call: CallContext): Promise<void> {
    const { audit, clock, db } = this.#deps;
    const secret = call.cookies.session();
    call.cookies.setSession(null);
    if (secret === null) return;
    const id = storedId(secret);
    await db.write("auth.logout", async (tx) => {
      // A client that once had a cookie could fill the audit log with it.
      if (!(await repo.endSession(tx, id, clock.now()))) return;
      await audit.record(tx, call.actor, {
        action: "auth.logout",
        object: { kind: "session", id: id.slice(0, 12) },
      });
      await this.#emitChanged(tx, [id]);
    });
  }

  /** Ends the sessions that are refused because of their epoch, so that open connections close. */
  async endOutdatedSessions(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await this.#emitChanged(tx, await repo.endOutdatedSessions(tx, accountIds, this.#deps.clock.now()));
  }

  /** All sessions end: one that ended after the backup was made would be open again. */
  async restored(tx: Tx): Promise<void> {
    await repo.endAllSessions(tx, this.#deps.clock.now());
  }

  /** Logs for the operator what a change of the secrets did. */
  async start(): Promise<void> {
    const { clock, db, log, secretsFingerprint } = this.#deps;
    const now = clock.now();
    const count = await db.read(
      "auth.foreignSessions",
      async (tx) => await repo.countForeignSessions(tx, secretsFingerprint(), now),
    );
    if (count === 0) return;
    const options = "secret, jwt.secret or http.sessions.cookieSecret";
    log.warn({ count }, `${count} session(s) were started with another ${options}: they are refused unless it is set back`);
  }

  async #emitChanged(tx: Tx, sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    const { clock, outbox } = this.#deps;
    await outbox.emit(tx, sessionsChanged, {
      key: `session/${sessionIds[0]}`,
      version: clock.now(),
      payload: { sessionIds: [...sessionIds] },
    });
  }
}

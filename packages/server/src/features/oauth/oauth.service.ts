import type { AccountActor, Actor } from "#core/actor.ts";
import type { RedirectAnswer } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Log } from "#core/ports/index.ts";
import type { AuthApi, SignInState } from "#features/auth/auth.api.ts";
import type { OwnerProof } from "#features/auth/auth.contract.ts";
import { attemptEnd, AttemptEnded, AttemptsService } from "./oauth.attempts.service.ts";
import { type ConnectDeps, ConnectService, type Person } from "./oauth.connect.service.ts";
import { oauthErrors } from "./oauth.contract.ts";
import type { AttemptSecrets, ExchangeService } from "./oauth.exchange.service.ts";
import { ownPath, withOutcome } from "./oauth.policy.ts";
import * as repo from "./oauth.repo.ts";

export interface OauthDeps extends ConnectDeps {
  readonly log: Log;
  readonly auth: AuthApi;
  readonly exchange: ExchangeService;
}

interface Answer {
  readonly state?: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

const actionOf = (account: AccountActor | null) => (account === null ? "oauth.login" : "oauth.connect");

/** Signing in with external providers, and connecting them. */
export class OauthService {
  readonly purgeAccounts = repo.purgeAccounts;
  readonly pruneAttempts = repo.pruneAttempts;
  readonly #deps: OauthDeps;
  readonly #attempts: AttemptsService;
  readonly #connections: ConnectService;

  constructor(deps: OauthDeps) {
    this.#deps = deps;
    this.#attempts = new AttemptsService(deps);
    this.#connections = new ConnectService(deps);
  }

  async begin(call: CallContext, name: string, query: { connect?: string; return?: string }): Promise<RedirectAnswer> {
    // Connecting by GET would let a page of another site connect its own provider account to the account signed in here.
    if (query.connect !== undefined) throw new AppError(oauthErrors.connectByPost, { params: { name } });
    return await this.#leave(call, name, ownPath(query.return), null);
  }

  async beginConnecting(call: CallContext, name: string, input: OwnerProof & { return: string }): Promise<RedirectAnswer> {
    const { auth, providers } = this.#deps;
    const account = call.account();
    const path = ownPath(input.return);
    if (providers.options(name) !== null) await auth.confirmOwner(call, input);
    return await this.#leave(call, name, path, account);
  }

  async finish(call: CallContext, name: string, answer: Answer): Promise<RedirectAnswer> {
    let path = "/";
    let connecting: AccountActor | null = null;
    try {
      const { attempt, secrets } = await this.#attempts.claim(call, name, answer.state, (known) => (path = known));
      if (attempt.account_id !== null) {
        connecting = await this.#accountOf(call);
        const { account_id: account, session_id: session } = attempt;
        if (connecting?.accountId !== account || connecting?.sessionId !== session) throw new AttemptEnded("signInNeeded");
      }
      const person = await this.#identify(name, answer, secrets);
      if (connecting !== null) {
        await this.#connections.connect(connecting, name, person);
        return { location: withOutcome(path, "connected", name) };
      }
      return { location: (await this.#signIn(call, name, person)) === "factorNeeded" ? "/login/factor" : path };
    } catch (error) {
      const end = attemptEnd(error);
      const actor: Actor = connecting === null ? call.actor : { kind: "account", ...connecting };
      await this.#recordFailure(actor, actionOf(connecting), name, end);
      return { location: withOutcome(path, end.outcome, name) };
    }
  }

  /** Where the browser goes to connect `account`, or to sign in when it is null. */
  async #leave(call: CallContext, name: string, path: string, account: AccountActor | null): Promise<RedirectAnswer> {
    const { exchange, providers } = this.#deps;
    const options = providers.options(name);
    if (options === null) return { location: withOutcome(path, "unknownProvider", name) };
    const begun = await providers.known(options).then(
      async (provider) => await exchange.begin(provider),
      (error: unknown) => attemptEnd(error),
    );
    if (begun instanceof AttemptEnded) {
      await this.#recordFailure(call.actor, actionOf(account), name, begun);
      return { location: withOutcome(path, begun.outcome, name) };
    }
    await this.#attempts.begin(call, { provider: name, path, account, secrets: begun.secrets });
    return { location: begun.location };
  }

  async #accountOf(call: CallContext): Promise<AccountActor | null> {
    const secret = call.cookies.session();
    return secret === null ? null : await this.#deps.auth.authenticator.bySession(secret, call);
  }

  async #identify(name: string, answer: Answer, secrets: AttemptSecrets): Promise<Person> {
    const { exchange, providers } = this.#deps;
    if (answer.error !== undefined)
      throw new AttemptEnded(answer.error === "access_denied" ? "denied" : "providerError", answer.error.slice(0, 100));
    const options = providers.options(name);
    if (options === null) throw new AttemptEnded("unknownProvider");
    if (answer.code === undefined) throw new AttemptEnded("providerError", "no code");
    const { code, iss } = answer;
    const query = iss === undefined ? { code } : { code, iss };
    const { identity, tokens } = await exchange.exchange(await providers.known(options), query, secrets);
    if (identity === null) throw new AttemptEnded("noIdentity");
    return { identity, tokens };
  }

  async #signIn(call: CallContext, name: string, person: Person): Promise<SignInState> {
    const { auth, db } = this.#deps;
    const found = await db.read("oauth.find", async (tx) => await repo.findByPerson(tx, name, person.identity));
    if (found === null) throw new AttemptEnded("unconnected");
    const state = await auth.signIn(call, found.account_id, `oauth:${name}`).catch((error: unknown) => {
      if (error instanceof AppError && error.definition.code === "auth.accountDisabled") throw new AttemptEnded("disabled");
      throw error;
    });
    await this.#connections.refresh(found, person);
    return state;
  }

  async #recordFailure(actor: Actor, action: string, provider: string, { outcome, message }: AttemptEnded): Promise<void> {
    const { audit, db, log } = this.#deps;
    log.info({ provider, outcome, detail: message }, "external sign-in failed");
    const result = ["unreachable", "exchangeFailed", "noIdentity", "identityRefused", "providerError"].includes(outcome)
      ? "failed"
      : "denied";
    await db.write(
      "oauth.failure",
      async (tx) =>
        await audit.recordFolded(tx, actor, {
          action,
          result,
          // Entries are folded by object, so the outcome is part of it: each outcome has its own entry.
          object: { kind: "provider", id: `${provider}/${outcome}` },
          info: { why: outcome },
        }),
    );
  }
}

import { createHash } from "node:crypto";
import type { AccountActor, Actor } from "#core/actor.ts";
import type { RedirectAnswer } from "#core/contract/index.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { type Clock, type Database, type Log, OutgoingFailed, type Tx, type Vault } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { AuthApi } from "#features/auth/auth.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { oauthConnected, type OauthOutcome } from "./oauth.contract.ts";
import { type AttemptSecrets, type Exchange, type Exchanged, ExchangeFailed, type Tokens } from "./oauth.exchange.service.ts";
import { type Identity, ownPath, withOutcome } from "./oauth.policy.ts";
import { ProviderIncomplete, type Providers } from "./oauth.providers.service.ts";
import * as repo from "./oauth.repo.ts";
import { tokenPurpose } from "./oauth.tokens.policy.ts";

/** How long a browser may be away at the provider. */
export const attemptMs = 10 * 60_000;
/** Sign-ins that one browser may have under way in its tabs. */
const mostUnderWay = 4;

export interface OauthDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Log;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly auth: AuthApi;
  readonly notifications: NotificationsApi;
  readonly providers: Providers;
  readonly exchange: Exchange;
}

interface Answer {
  readonly state?: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

type Person = Exchanged & { readonly identity: Identity };

/** Ends a sign-in with words on the page that the browser came from. */
class Ended extends Error {
  override name = "Ended";
  readonly outcome: OauthOutcome;
  constructor(outcome: OauthOutcome, message: string = outcome) {
    super(message);
    this.outcome = outcome;
  }
}

/**
 * Whether a page of another site sent the browser here. It could sign the browser in at the provider as
 * somebody else first, whom the account would then be connected to.
 */
function fromElsewhere({ headers }: CallContext): boolean {
  return ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));
}

const storedState = (state: string) => createHash("sha256").update(`oauth state\n${state}`).digest("hex");

function secretsIn(cookie: string | null): AttemptSecrets[] {
  try {
    return JSON.parse(cookie ?? "[]") as AttemptSecrets[];
  } catch {
    return [];
  }
}

/** Why the exchange did not come to an end, for people; a fault of ours is thrown on. */
function outcomeOf(error: unknown): Ended {
  if (error instanceof Ended) return error;
  if (error instanceof OutgoingFailed) return new Ended("unreachable", `${error.problem}: ${error.message}`);
  if (error instanceof ProviderIncomplete) return new Ended("unreachable", error.message);
  if (error instanceof ExchangeFailed) return new Ended("exchangeFailed", error.message);
  throw error;
}

/** Sign-in with external providers and connecting them. */
export function createOauthService(deps: OauthDeps) {
  async function accountOf(call: CallContext): Promise<AccountActor | null> {
    const secret = call.cookies.session();
    return secret === null ? null : await deps.auth.authenticator.bySession(secret, call);
  }

  const keepSecrets = (call: CallContext, secrets: readonly AttemptSecrets[]) =>
    call.cookies.set("oauth", secrets.length === 0 ? null : JSON.stringify(secrets), attemptMs / 1000);

  async function noteFailure(actor: Actor, action: string, provider: string, { outcome, message }: Ended): Promise<void> {
    deps.log.info({ provider, outcome, detail: message }, "external sign-in failed");
    const result = ["unreachable", "exchangeFailed", "noIdentity", "providerError"].includes(outcome) ? "failed" : "denied";
    await deps.db.write(
      "oauth.failure",
      async (tx) =>
        await deps.audit.recordFolded(tx, actor, {
          action,
          result,
          // The outcome is part of what is folded: another one is another entry.
          object: { kind: "provider", id: `${provider}/${outcome}` },
          info: { why: outcome },
        }),
    );
  }

  /** `before` keeps its refresh token when the provider gives no other one. */
  function details(identity: Identity, tokens: Tokens, before?: repo.StoredConnection): repo.ConnectionDetails {
    const kept = before?.refresh_token ?? null;
    const keeps = kept !== null && deps.vault.open(kept, tokenPurpose.refresh).state === "open";
    const seal = (text: string | null, purpose: string) =>
      text === null || !deps.vault.available ? null : deps.vault.seal(text, purpose);
    return {
      username: identity.username,
      avatar_url: identity.avatar,
      scopes: tokens.scopes,
      access_token: seal(tokens.access, tokenPurpose.access),
      refresh_token: seal(tokens.refresh, tokenPurpose.refresh) ?? (keeps ? kept : null),
      token_expires_at: deps.vault.available ? tokens.expiresAt : null,
      updated_at: deps.clock.now(),
    };
  }

  async function begin(call: CallContext, name: string, query: { connect?: string; return?: string }): Promise<RedirectAnswer> {
    const back = ownPath(query.return);
    const options = deps.providers.options(name);
    if (options === null) return { location: withOutcome(back, "unknownProvider", name) };
    const account = query.connect === undefined ? null : await accountOf(call);
    if (query.connect !== undefined && account === null) return { location: withOutcome(back, "signInNeeded", name) };
    if (query.connect !== undefined && fromElsewhere(call)) return { location: withOutcome(back, "stateWrong", name) };
    const begun = await deps.providers.known(options).then(deps.exchange.begin, (error: unknown) => outcomeOf(error));
    if (begun instanceof Ended) {
      await noteFailure(call.actor, "oauth.login", name, begun);
      return { location: withOutcome(back, begun.outcome, name) };
    }
    const now = deps.clock.now();
    const { location, secrets } = begun;
    await deps.db.write("oauth.begin", async (tx) => {
      await repo.insertAttempt(tx, {
        id: storedState(secrets.state),
        provider: name,
        account_id: account?.accountId ?? null,
        return_path: back,
        created_at: now,
        expires_at: now + attemptMs,
      });
    });
    const others = secretsIn(await call.cookies.get("oauth")).slice(1 - mostUnderWay);
    keepSecrets(call, [...others, secrets]);
    return { location };
  }

  /** Finds what the answer belongs to and uses it up; `page` is told as soon as it is known. */
  async function claim(call: CallContext, name: string, state: string | undefined, page: (path: string) => void) {
    if (state === undefined) throw new Ended("stateWrong");
    const id = storedState(state);
    const known = await deps.db.read("oauth.attempt", async (tx) => await repo.findAttempt(tx, id));
    if (known === null) throw new Ended("stateWrong");
    page(known.return_path);
    if (known.provider !== name || known.used_at !== null) throw new Ended("stateWrong");
    if (known.expires_at <= deps.clock.now()) throw new Ended("expired");
    const underWay = secretsIn(await call.cookies.get("oauth"));
    const secrets = underWay.find((one) => one.state === state);
    if (secrets === undefined) throw new Ended("cookieLost");
    const first = await deps.db.write("oauth.claim", async (tx) => await repo.useAttempt(tx, id, deps.clock.now()));
    if (!first) throw new Ended("stateWrong");
    keepSecrets(
      call,
      underWay.filter((one) => one !== secrets),
    );
    return { attempt: known, secrets };
  }

  async function ask(name: string, answer: Answer, secrets: AttemptSecrets): Promise<Person> {
    if (answer.error !== undefined)
      throw new Ended(answer.error === "access_denied" ? "denied" : "providerError", answer.error.slice(0, 100));
    const options = deps.providers.options(name);
    if (options === null) throw new Ended("unknownProvider");
    if (answer.code === undefined) throw new Ended("providerError", "no code");
    const { code, iss } = answer;
    const query = iss === undefined ? { code } : { code, iss };
    const { identity, tokens } = await deps.exchange.exchange(await deps.providers.known(options), query, secrets);
    if (identity === null) throw new Ended("noIdentity");
    return { identity, tokens };
  }

  async function signIn(call: CallContext, name: string, { identity, tokens }: Person) {
    const found = await deps.db.read("oauth.find", async (tx) => await repo.findByPerson(tx, name, identity.id));
    if (found === null) throw new Ended("unconnected");
    const state = await deps.auth.signIn(call, found.account_id, `oauth:${name}`).catch((error: unknown) => {
      if (error instanceof AppError && error.definition.code === "auth.accountDisabled") throw new Ended("disabled");
      throw error;
    });
    await deps.db.write("oauth.refresh", async (tx) => await repo.update(tx, found.id, details(identity, tokens, found)));
    return state;
  }

  async function store(tx: Tx, account: AccountActor, name: string, { identity, tokens }: Person): Promise<void> {
    const existing = await repo.findByPerson(tx, name, identity.id);
    if (existing?.account_id === account.accountId)
      return await repo.update(tx, existing.id, details(identity, tokens, existing));
    const values = details(identity, tokens);
    if (existing !== null) {
      // An account that is gone holds nobody's identity.
      if ((await deps.accounts.byId(tx, existing.account_id)) !== null) throw new Ended("taken");
      await repo.remove(tx, existing.id);
    }
    if ((await repo.findOfAccount(tx, account.accountId, name)) !== null) throw new Ended("alreadyConnected");
    await repo.insert(tx, {
      account_id: account.accountId,
      provider: name,
      external_id: identity.id,
      created_at: values.updated_at,
      ...values,
    });
    await deps.audit.record(
      tx,
      { kind: "account", ...account },
      {
        action: "oauth.connect",
        object: { kind: "account", id: account.accountId },
        after: { provider: name, person: identity.id, username: identity.username },
      },
    );
    const provider = deps.providers.options(name)?.label ?? name;
    await deps.notifications.notify(tx, oauthConnected, [
      { accountId: account.accountId, params: { provider }, link: "/account/connections" },
    ]);
  }

  async function connect(account: AccountActor, name: string, person: Person) {
    try {
      await deps.db.write("oauth.connect", async (tx) => await store(tx, account, name, person));
    } catch (error) {
      if (error instanceof DuplicateKey) throw new Ended(error.constraint.includes("person") ? "taken" : "alreadyConnected");
      throw error;
    }
  }

  async function finish(call: CallContext, name: string, answer: Answer): Promise<RedirectAnswer> {
    let path = "/";
    let connecting: AccountActor | null = null;
    try {
      const { attempt, secrets } = await claim(call, name, answer.state, (known) => (path = known));
      if (attempt.account_id !== null) {
        connecting = await accountOf(call);
        if (connecting?.accountId !== attempt.account_id) throw new Ended("signInNeeded");
      }
      const exchanged = await ask(name, answer, secrets);
      if (connecting !== null) {
        await connect(connecting, name, exchanged);
        return { location: withOutcome(path, "connected", name) };
      }
      return { location: (await signIn(call, name, exchanged)) === "factorNeeded" ? "/login/factor" : path };
    } catch (error) {
      const ended = outcomeOf(error);
      const actor: Actor = connecting === null ? call.actor : { kind: "account", ...connecting };
      await noteFailure(actor, connecting === null ? "oauth.login" : "oauth.connect", name, ended);
      return { location: withOutcome(path, ended.outcome, name) };
    }
  }

  return {
    begin,
    finish,
    removeAttempts: repo.removeAttempts,
    forgetAccount: repo.forgetAccount,
  };
}

export type OauthService = ReturnType<typeof createOauthService>;

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError } from "#core/errors.ts";
import type { Access } from "#core/contract/access.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import type { Authenticator } from "#core/ports/authenticator.ts";
import { createRecent } from "#core/recent.ts";
import { originOf } from "./call.ts";
import { type CookieSeal, sessionCookieName } from "./cookie.ts";
import { bearer, Denied, type Guard, linkSecret } from "./guard.ts";
import type { Principal } from "./principal.ts";
import { toAppError } from "./problem.ts";
import { type RateLimiter, networkKey } from "./rate.ts";

export interface GuardBudgetOptions {
  readonly guard: Pick<Guard, "authorize">;
  readonly rates: RateLimiter;
  readonly cookies: Pick<CookieSeal, "open">;
  readonly authenticator: Pick<Authenticator, "idOfSession" | "sessionOfToken">;
}

/** A cookie or token that this server issued, and the rate limit key of its session. */
interface Credential {
  readonly name: string;
  readonly sessionKey: string;
}

const maxRejected = 20_000;
/** The credential itself is not valid, or no longer. */
const invalidCredential: readonly ErrorDefinition[] = [
  guardErrors.signInNeeded,
  guardErrors.tokenInvalid,
  guardErrors.tokenExpired,
];
/** Something else is missing, whether or not the credential is valid: pages of other sites can cause these with it. */
const incomplete: readonly ErrorDefinition[] = [guardErrors.characterNeeded, guardErrors.headerMissing, guardErrors.crossSite];

const definitionOf = (error: unknown) => (error instanceof AppError ? error.definition : null);
const isOneOf = (definitions: readonly ErrorDefinition[], error: unknown) =>
  definitions.some((definition) => definition === definitionOf(error));
const isRefusal = (error: unknown) => [401, 403].includes(definitionOf(error)?.status ?? 0);

/**
 * The guard with budgets for refusals. A call of an unknown client consumes from the budget of its
 * network before any lookup. A call with a cookie or token that this server issued, even if this process
 * has never seen it, consumes from the budget of its session instead: unknown clients of the same network
 * cannot lock it out, and it does not use up the budget of the network. A refusal for a missing right
 * consumes from the budget of the account.
 */
export class GuardBudgets {
  readonly #guard: Pick<Guard, "authorize">;
  readonly #rates: RateLimiter;
  readonly #cookies: GuardBudgetOptions["cookies"];
  readonly #authenticator: GuardBudgetOptions["authenticator"];
  /** Credentials refused last time: looked up again only within the budget of their session. */
  readonly #rejected = createRecent(maxRejected);

  constructor({ guard, rates, cookies, authenticator }: GuardBudgetOptions) {
    this.#guard = guard;
    this.#rates = rates;
    this.#cookies = cookies;
    this.#authenticator = authenticator;
  }

  /** Throws `Denied` if the caller is known but not allowed, and `AppError` if it is unknown or over its budget. */
  async authorize(access: Access, request: FastifyRequest): Promise<Principal> {
    try {
      return await this.#authorize(access, request);
    } catch (error) {
      if (error instanceof Denied && "accountId" in error.actor)
        this.#rates.consume("refused", `account ${error.actor.accountId}`);
      if (error instanceof Denied && "linkId" in error.actor) this.#rates.consume("refused", `link ${error.actor.linkId}`);
      throw error;
    }
  }

  async #authorize(access: Access, request: FastifyRequest): Promise<Principal> {
    const network = networkKey(request.address);
    const withoutSession = ["public", "sync", "link"].includes(access.kind) || linkSecret(request) !== null;
    if (withoutSession) return await this.#authorizePublic(network, access, request);
    const credential = await this.#credential(access, request);
    if (credential !== null) return await this.#authorizeCredential(credential, access, request);
    this.#rates.consume("refused", network);
    return await this.#guard.authorize(access, request, originOf(request));
  }

  async #authorizePublic(network: string, access: Access, request: FastifyRequest): Promise<Principal> {
    try {
      return await this.#guard.authorize(access, request, originOf(request));
    } catch (error) {
      if (isRefusal(error)) this.#rates.consume("refused", network);
      throw error;
    }
  }

  async #authorizeCredential({ name, sessionKey }: Credential, access: Access, request: FastifyRequest): Promise<Principal> {
    const wasRejected = this.#rejected.has(name);
    if (wasRejected) this.#rates.consume("refused", sessionKey);
    const accept = () => {
      this.#rejected.remove(name);
      if (wasRejected) this.#rates.refund("refused", sessionKey);
    };
    try {
      const principal = await this.#guard.authorize(access, request, originOf(request));
      accept();
      return principal;
    } catch (error) {
      if (error instanceof Denied || definitionOf(error) === guardErrors.characterNeeded) accept();
      if (isOneOf(incomplete, error)) this.#rates.consume("refused", `${sessionKey} incomplete`);
      if (isOneOf(invalidCredential, error)) {
        this.#rejected.add(name);
        if (!wasRejected) this.#rates.consume("refused", sessionKey);
      }
      throw error;
    }
  }

  /** The credential that authorizes the call; null without one, and for one that this server did not issue. */
  async #credential(access: Access, request: FastifyRequest): Promise<Credential | null> {
    const byCookie = access.kind === "account" || access.kind === "configAdmin";
    const token = byCookie ? null : bearer(request);
    if (token !== null) {
      const session = await this.#authenticator.sessionOfToken(token);
      // Named by the token, not its session: repeating an expired one does not block the session's next one.
      const name = `token ${createHash("sha256").update(token).digest("base64url")}`;
      return session === null ? null : { name, sessionKey: `session ${session}` };
    }
    const sealed = request.cookies[sessionCookieName];
    const opened = sealed === undefined ? null : await this.#cookies.open(sealed);
    if (opened === null) return null;
    const session = this.#authenticator.idOfSession(opened);
    return { name: `cookie ${session}`, sessionKey: `session ${session}` };
  }
}

/** The error for an unknown path: not found, or rate limited once the network has used up its refusals. */
export function notFoundAt(address: string, rates: RateLimiter): AppError {
  try {
    rates.consume("refused", networkKey(address));
    return new AppError(guardErrors.notFound);
  } catch (error) {
    return toAppError(error, 0);
  }
}

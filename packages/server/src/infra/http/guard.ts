import type { FastifyRequest } from "fastify";
import { lackError, lackOf } from "#core/access-check.ts";
import { AppError } from "#core/errors.ts";
import type { AccountActor, Actor, Viewer } from "#core/actor.ts";
import type { Access } from "#core/contract/access.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import type { Authenticator, CallOrigin } from "#core/ports/authenticator.ts";
import type { SecretLinks } from "#core/ports/links.ts";
import { type CookieSeal, sessionCookieName } from "./cookie.ts";
import { refuseCrossSite, requireHeader } from "./origin.ts";
import type { Principal } from "./principal.ts";
import { networkKey } from "./rate.ts";

export interface GuardOptions {
  readonly authenticator: Authenticator;
  readonly cookies: CookieSeal;
  readonly links: SecretLinks;
  readonly sync: { readonly enabled: boolean; isToken(token: string, address: string): boolean };
  readonly syncDisabled: ErrorDefinition;
}

/** A known caller was refused: the refusal is written to the audit log and `error` is sent to the caller. */
export class Denied extends Error {
  override name = "Denied";
  readonly actor: Actor;
  readonly error: AppError;
  constructor(actor: Actor, error: AppError) {
    super(error.message);
    this.actor = actor;
    this.error = error;
  }
}

export function bearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  return header.slice(7).trim();
}

/** The secret of a link, which is sent in this header only: addresses end up in logs. */
export function linkSecret(request: FastifyRequest): string | null {
  return /^link +(.*)$/i.exec(request.headers.authorization ?? "")?.[1]?.trim() ?? null;
}

function accountPrincipal(account: AccountActor, sessionId: string | null): Principal {
  return { actor: { kind: "account", ...account }, account, viewer: null, sessionId };
}

/**
 * The request guard: authenticates and authorizes a request, before validation, so that a caller
 * without access learns nothing about the input of an operation.
 */
export class Guard {
  readonly #authenticator: Authenticator;
  readonly #cookies: CookieSeal;
  readonly #links: SecretLinks;
  readonly #sync: GuardOptions["sync"];
  readonly #syncDisabled: ErrorDefinition;

  constructor({ authenticator, cookies, links, sync, syncDisabled }: GuardOptions) {
    this.#authenticator = authenticator;
    this.#cookies = cookies;
    this.#links = links;
    this.#sync = sync;
    this.#syncDisabled = syncDisabled;
  }

  /** Throws `Denied` if the caller is known but not allowed, and `AppError` if it is unknown. */
  async authorize(access: Access, request: FastifyRequest, from: CallOrigin): Promise<Principal> {
    // A session that the browser sends along adds nothing to a link.
    if (access.kind !== "link" && linkSecret(request) !== null) throw new AppError(guardErrors.linkOpensOther);
    switch (access.kind) {
      case "link":
        return await this.#authorizeLink(access, request, from);
      case "public":
        return await this.#authorizePublic(request, from);
      case "sync":
        return this.#authorizeSync(request, from);
      case "account":
      case "configAdmin":
        return await this.#authorizeAccount(access, request, from);
      case "character":
      case "jobAdmin":
      case "permission":
        return await this.#authorizeViewer(access, request, from);
    }
  }

  async #authorizePublic(request: FastifyRequest, from: CallOrigin): Promise<Principal> {
    requireHeader(request);
    const sessionId = await this.#sessionId(request);
    return { actor: { kind: "anonymous", ...from }, account: null, viewer: null, sessionId };
  }

  async #authorizeLink(
    access: Extract<Access, { readonly kind: "link" }>,
    request: FastifyRequest,
    from: CallOrigin,
  ): Promise<Principal> {
    const secret = linkSecret(request);
    const found = secret === null ? null : await this.#links.find(secret, networkKey(from.address));
    if (found === null) throw new AppError(guardErrors.linkInvalid);
    const { linkId, definition, subject, label } = found;
    const actor = { linkId, link: definition.id, subject, label, ...from };
    if (!access.anyOf.includes(definition.id))
      throw new Denied({ kind: "link", ...actor }, new AppError(guardErrors.linkOpensOther));
    return { actor: { kind: "link", ...actor }, account: null, viewer: null, sessionId: null, link: { actor, definition } };
  }

  #authorizeSync(request: FastifyRequest, from: CallOrigin): Principal {
    if (!this.#sync.enabled) throw new AppError(this.#syncDisabled);
    const token = bearer(request) ?? "";
    if (!this.#sync.isToken(token, from.address)) throw new AppError(guardErrors.syncTokenInvalid);
    const actor: Actor = {
      kind: "sync",
      tokenFingerprint: syncTokenFingerprint(token),
      address: from.address,
      userAgent: from.userAgent,
      traceId: from.traceId,
    };
    return { actor, account: null, viewer: null, sessionId: null };
  }

  async #authorizeAccount(access: Access, request: FastifyRequest, from: CallOrigin): Promise<Principal> {
    requireHeader(request);
    const { id, account } = await this.#session(request, from);
    const lack = lackOf(access, { account, viewer: null });
    if (account === null) throw new AppError(guardErrors.signInNeeded);
    if (lack !== null) throw new Denied({ kind: "account", ...account }, lackError(lack, access, null));
    return accountPrincipal(account, id);
  }

  async #authorizeViewer(access: Access, request: FastifyRequest, from: CallOrigin): Promise<Principal> {
    if (access.kind === "permission" && access.orConfigAdmin === true && bearer(request) === null) {
      const principal = await this.#withoutCharacter(access, request, from);
      if (principal !== null) return principal;
    }
    const viewer = await this.#viewer(request, from);
    const lack = lackOf(access, { account: viewer, viewer });
    if (lack !== null) throw new Denied({ kind: "character", ...viewer }, lackError(lack, access, viewer));
    return { actor: { kind: "character", ...viewer }, account: viewer, viewer, sessionId: viewer.sessionId };
  }

  /** A caller for whom the session alone is enough: a config admin without a character. */
  async #withoutCharacter(access: Access, request: FastifyRequest, from: CallOrigin): Promise<Principal | null> {
    requireHeader(request);
    const { id, account } = await this.#session(request, from);
    return account !== null && lackOf(access, { account, viewer: null }) === null ? accountPrincipal(account, id) : null;
  }

  async #viewer(request: FastifyRequest, from: CallOrigin): Promise<Viewer> {
    const token = bearer(request);
    if (token === null) {
      const { account } = await this.#session(request, from);
      throw new AppError(account === null ? guardErrors.signInNeeded : guardErrors.characterNeeded);
    }
    const viewer = await this.#authenticator.byUserToken(token, from);
    if (viewer === "expired") throw new AppError(guardErrors.tokenExpired);
    if (viewer === "invalid") throw new AppError(guardErrors.tokenInvalid);
    return viewer;
  }

  async #session(
    request: FastifyRequest,
    from: CallOrigin,
  ): Promise<{ readonly id: string | null; readonly account: AccountActor | null }> {
    refuseCrossSite(request);
    const id = await this.#sessionId(request);
    return { id, account: id === null ? null : await this.#authenticator.bySession(id, from) };
  }

  async #sessionId(request: FastifyRequest): Promise<string | null> {
    const sealed = request.cookies[sessionCookieName];
    return sealed === undefined ? null : await this.#cookies.open(sealed);
  }
}

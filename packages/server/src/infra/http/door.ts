import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError } from "#core/errors.ts";
import type { AccountActor, Actor, Viewer } from "#core/actor.ts";
import type { Access } from "#core/contract/access.ts";
import { doorErrors } from "#core/contract/door.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import type { Authenticator, CallOrigin } from "#core/ports/authenticator.ts";
import { type CookieSeal, sessionCookieName } from "./cookie.ts";
import { requireHeader } from "./origin.ts";

export interface DoorOptions {
  readonly authenticator: Authenticator;
  readonly cookies: CookieSeal;
  readonly sync: { readonly enabled: boolean; readonly tokens: readonly string[] };
  readonly syncDisabled: ErrorDefinition;
}

/** Somebody known was refused: goes to the audit trail, then the error to the caller. */
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

/** Who passed the door. */
export interface Passed {
  readonly actor: Actor;
  readonly account: AccountActor | null;
  readonly viewer: Viewer | null;
  readonly sessionId: string | null;
}

function bearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  return header.slice(7).trim();
}

/** Twelve characters that name a token in logs and audit without giving it away. */
export function fingerprint(token: string): string {
  return createHash("sha256").update(`rollcall sync token\n${token}`).digest("hex").slice(0, 12);
}

function sameText(a: string, b: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/**
 * Session and permission come before validation: a caller who may not call an operation learns
 * nothing of its input.
 */
export function createDoor(options: DoorOptions) {
  async function session(
    request: FastifyRequest,
    from: CallOrigin,
  ): Promise<{ id: string | null; account: AccountActor | null }> {
    const sealed = request.cookies[sessionCookieName];
    const id = sealed === undefined ? null : await options.cookies.open(sealed);
    return { id, account: id === null ? null : await options.authenticator.bySession(id, from) };
  }

  async function viewerOf(request: FastifyRequest, from: CallOrigin): Promise<Viewer> {
    const token = bearer(request);
    if (token === null) {
      const { account } = await session(request, from);
      throw new AppError(account === null ? doorErrors.signInNeeded : doorErrors.characterNeeded);
    }
    const viewer = await options.authenticator.byUserToken(token, from);
    if (viewer === "expired") throw new AppError(doorErrors.tokenExpired);
    if (viewer === "invalid") throw new AppError(doorErrors.tokenInvalid);
    return viewer;
  }

  function passSync(request: FastifyRequest, from: CallOrigin): Passed {
    if (!options.sync.enabled) throw new AppError(options.syncDisabled);
    const token = bearer(request) ?? "";
    const matches = options.sync.tokens.filter((known) => sameText(known, token));
    if (matches.length === 0) throw new AppError(doorErrors.syncTokenInvalid);
    const actor: Actor = {
      kind: "sync",
      tokenFingerprint: fingerprint(token),
      address: from.address,
      userAgent: from.userAgent,
      traceId: from.traceId,
    };
    return { actor, account: null, viewer: null, sessionId: null };
  }

  async function passAccount(request: FastifyRequest, from: CallOrigin, configAdmin: boolean): Promise<Passed> {
    requireHeader(request);
    const { id, account } = await session(request, from);
    if (account === null) throw new AppError(doorErrors.signInNeeded);
    if (configAdmin && !account.configAdmin)
      throw new Denied({ kind: "account", ...account }, new AppError(doorErrors.configAdminNeeded));
    return { actor: { kind: "account", ...account }, account, viewer: null, sessionId: id };
  }

  /** By the session alone, for those who have no character. */
  async function configAdminOf(request: FastifyRequest, from: CallOrigin): Promise<Passed | null> {
    requireHeader(request);
    const { id, account } = await session(request, from);
    if (account?.configAdmin !== true) return null;
    return { actor: { kind: "account", ...account }, account, viewer: null, sessionId: id };
  }

  return async function pass(access: Access, request: FastifyRequest, from: CallOrigin): Promise<Passed> {
    switch (access.kind) {
      case "public": {
        requireHeader(request);
        const sealed = request.cookies[sessionCookieName];
        const sessionId = sealed === undefined ? null : await options.cookies.open(sealed);
        const actor: Actor = { kind: "anonymous", ...from };
        return { actor, account: null, viewer: null, sessionId };
      }
      case "sync":
        return passSync(request, from);
      case "account":
        return await passAccount(request, from, false);
      case "configAdmin":
        return await passAccount(request, from, true);
      case "character":
      case "jobAdmin":
      case "permission": {
        const orConfigAdmin = access.kind === "permission" && access.orConfigAdmin === true;
        if (orConfigAdmin && bearer(request) === null) {
          const passed = await configAdminOf(request, from);
          if (passed !== null) return passed;
        }
        const viewer = await viewerOf(request, from);
        if (access.kind === "jobAdmin" && viewer.jobAdmin === null)
          throw new Denied({ kind: "character", ...viewer }, new AppError(doorErrors.jobAdminNeeded));
        const admin = orConfigAdmin && viewer.configAdmin;
        if (access.kind === "permission" && !admin && !access.anyOf.some((permission) => viewer.rights.has(permission))) {
          const error = new AppError(doorErrors.permissionMissing, {
            params: { permission: access.anyOf.join(", "), job: viewer.job },
          });
          throw new Denied({ kind: "character", ...viewer }, error);
        }
        return {
          actor: { kind: "character", ...viewer },
          account: viewer,
          viewer,
          sessionId: viewer.sessionId,
        };
      }
    }
  };
}

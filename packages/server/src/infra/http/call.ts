import type { FastifyRequest } from "fastify";
import type { CallOrigin } from "#core/ports/authenticator.ts";
import type { Passed } from "./door.ts";
import type { RateLimits } from "./rate.ts";

/** Largest body unless an operation says otherwise. */
export const defaultBodyLimit = 64 * 1024;

/** What the listener needs of the configuration. */
export interface HttpSettings {
  readonly publicUrl: string;
  readonly origins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly cookieSecret: string;
  readonly cookieDomain: string;
  readonly debug: boolean;
  readonly sync: { readonly enabled: boolean; readonly tokens: readonly string[] };
  readonly rates: RateLimits;
  /** A path that is answered as another one. */
  readonly alias?: { readonly from: string; readonly to: string } | null;
}

declare module "fastify" {
  interface FastifyRequest {
    traceId: string;
    startedAt: number;
    /** Who passed the door; null before it. */
    passed: Passed | null;
  }
}

export function originOf(request: FastifyRequest): CallOrigin {
  return { address: request.ip, userAgent: request.headers["user-agent"] ?? "", traceId: request.traceId };
}

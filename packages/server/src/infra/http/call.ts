import type { FastifyRequest } from "fastify";
import type { CallOrigin } from "#core/ports/authenticator.ts";
import type { Principal } from "./principal.ts";
import type { RateLimits } from "./rate.ts";

/** Default limit of a request body in bytes. */
export const defaultBodyLimit = 64 * 1024;

/** The configuration of the main listener. */
export interface HttpSettings {
  readonly publicUrl: string;
  readonly origins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly cookieSecret: string;
  readonly cookieDomain: string;
  readonly debug: boolean;
  readonly sync: { readonly enabled: boolean; readonly tokens: readonly string[] };
  readonly rates: RateLimits;
  /** Requests for the path `from` are handled as requests for `to`. */
  readonly alias?: { readonly from: string; readonly to: string } | null;
}

declare module "fastify" {
  interface FastifyRequest {
    traceId: string;
    startedAt: number;
    /** The client's address behind trusted proxies; `ip` is only the peer of the connection. */
    address: string;
    /** Set by the guard; null before it. */
    principal: Principal | null;
  }
}

export function originOf(request: FastifyRequest): CallOrigin {
  return { address: request.address, userAgent: request.headers["user-agent"] ?? "", traceId: request.traceId };
}

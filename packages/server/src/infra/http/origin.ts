import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { RateClass } from "#core/contract/operation.ts";
import { type RateLimiter, networkKey } from "./rate.ts";
import { pageRoutes } from "./web.ts";

/** A cross-site page cannot set this header without a preflight, which succeeds for listed origins only. */
export const requiredHeader = "x-rollcall";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Browsers send an Origin also with the scripts of the page itself, which are public. At another address than the
 * configured ones they have to load, because it is the page that says so.
 */
const isOfPage = ({ method, routeOptions }: FastifyRequest): boolean =>
  safeMethods.has(method) && method !== "OPTIONS" && pageRoutes.has(routeOptions.url ?? "");

/**
 * Refuses browsers whose Origin is not in `http.origins`, also on the same host, and answers
 * preflights of listed ones. Requests without an Origin are accepted: browsers send it wherever it matters.
 */
export function createOriginGuard(origins: readonly string[], rates: RateLimiter) {
  const listed = new Set(origins.map((origin) => origin.toLowerCase()));
  return async function guardOrigin(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const origin = request.headers.origin;
    if (origin === undefined) return undefined;
    if (!listed.has(origin.toLowerCase())) {
      if (isOfPage(request)) return undefined;
      rates.consume("origin", networkKey(request.address));
      throw new AppError(guardErrors.originNotAllowed, { params: { origin, listed: origins.join(", ") } });
    }
    void reply.header("access-control-allow-origin", origin);
    void reply.header("access-control-allow-credentials", "true");
    void reply.header("access-control-expose-headers", "x-trace-id, retry-after");
    void reply.header("vary", "Origin");
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined) {
      rates.consume("page", networkKey(request.address));
      void reply.header("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE");
      void reply.header("access-control-allow-headers", `authorization, content-type, ${requiredHeader}`);
      void reply.header("access-control-max-age", "600");
      return await reply.code(204).send();
    }
    return undefined;
  };
}

/** The second part of the cross-site protection: unsafe calls that the cookie can authorize need the header. */
export function requireHeader(request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return;
  if (request.headers[requiredHeader] === undefined) {
    throw new AppError(guardErrors.headerMissing, { params: { header: "X-Rollcall" } });
  }
}

/**
 * Whether a page of another origin caused the request. Other ports and subdomains are of the same site, so the cookie
 * goes along whatever its `SameSite`. A request with an Origin came from a listed one.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  return ["cross-site", "same-site"].includes(headers["sec-fetch-site"] as string) && headers.origin === undefined;
}

/**
 * The third part, for calls that the cookie authorizes: a page of another origin makes browsers read without an Origin,
 * with a picture or a frame. Opening an address is left, and browsers that do not send `Sec-Fetch-Site`, which none
 * sends over plain http.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return;
  const { headers } = request;
  const opened = headers["sec-fetch-mode"] === "navigate" && [undefined, "document"].includes(headers["sec-fetch-dest"]);
  if (!opened) throw new AppError(guardErrors.crossSite);
}

/** Operations that read or send much, by what their calls are counted as. */
const dear: ReadonlySet<RateClass> = new Set(["export", "download", "search"]);

/** Of those that the cookie authorizes, a page of another origin cannot even open the address. */
export function refuseOpenedFromElsewhere(request: FastifyRequest, rate: RateClass): void {
  if (isFromElsewhere(request) && dear.has(rate)) throw new AppError(guardErrors.crossSite);
}

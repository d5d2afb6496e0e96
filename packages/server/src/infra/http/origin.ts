import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";

/** A cross-site page cannot set this header without a preflight that only listed origins pass. */
export const requiredHeader = "x-rollcall";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses browsers whose Origin is not in `http.origins`, also on the same host, and answers
 * preflights of listed ones. Requests without an Origin pass: browsers send it wherever it matters.
 */
export function createOriginGuard(origins: readonly string[]) {
  const listed = new Set(origins.map((origin) => origin.toLowerCase()));
  return async function guardOrigin(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const origin = request.headers.origin;
    if (origin === undefined) return undefined;
    if (!listed.has(origin.toLowerCase())) {
      throw new AppError(doorErrors.originNotAllowed, { params: { origin } });
    }
    void reply.header("access-control-allow-origin", origin);
    void reply.header("access-control-allow-credentials", "true");
    void reply.header("access-control-expose-headers", "x-trace-id, retry-after");
    void reply.header("vary", "Origin");
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined) {
      void reply.header("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE");
      void reply.header("access-control-allow-headers", `authorization, content-type, ${requiredHeader}`);
      void reply.header("access-control-max-age", "600");
      return await reply.code(204).send();
    }
    return undefined;
  };
}

/** The second half of the cross-site guard: unsafe calls that the cookie may authorise carry the header. */
export function requireHeader(request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return;
  if (request.headers[requiredHeader] === undefined) {
    throw new AppError(doorErrors.headerMissing, { params: { header: "X-Rollcall" } });
  }
}

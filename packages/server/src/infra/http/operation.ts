import { Readable } from "node:stream";
import fastJsonStringify from "fast-json-stringify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";
import type { Binding, CallContext } from "#core/feature.ts";
import type { FileAnswer, OperationDefinition, RateClass, RedirectAnswer } from "#core/contract/operation.ts";
import { type CookieSeal, cookieHeader, sessionCookieName } from "./cookie.ts";
import { type createDoor, Denied, type Passed } from "./door.ts";
import type { Clock, Logs } from "#core/ports/index.ts";
import { defaultBodyLimit, type HttpSettings, originOf } from "./call.ts";
import { toAppError } from "./problem.ts";
import { createCheck, openItems } from "./validate.ts";

interface MountOptions {
  readonly settings: HttpSettings;
  readonly pass: ReturnType<typeof createDoor>;
  readonly seal: CookieSeal;
  readonly logs: Logs;
  readonly clock: Clock;
  readonly denied: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly failed: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly takeOne: (rateClass: RateClass, who: string) => void;
}

/** How long the browser keeps the session cookie; the server's session ends sooner when unused. */
export const sessionCookieSeconds = 14 * 24 * 60 * 60;

function contextOf(request: FastifyRequest, reply: FastifyReply, options: MountOptions, pending: Promise<void>[]): CallContext {
  const passed = request.passed as Passed;
  const from = originOf(request);
  const { settings } = options;
  const cookie = {
    domain: settings.cookieDomain,
    secure: settings.publicUrl.startsWith("https:"),
    maxAgeSeconds: sessionCookieSeconds,
  };
  const setCookie = (name: string, value: string | null, type: string, maxAgeSeconds: number) => {
    const sealed = value === null ? Promise.resolve(null) : options.seal.seal(value, type);
    // In the order in which they were set, however long each took to seal.
    const turn = Promise.all([sealed, pending.at(-1)]);
    pending.push(turn.then(([text]) => void reply.header("set-cookie", cookieHeader(name, text, { ...cookie, maxAgeSeconds }))));
  };
  return {
    ...from,
    actor: passed.actor,
    account() {
      if (passed.account === null) throw new AppError(doorErrors.signInNeeded);
      return passed.account;
    },
    viewer() {
      if (passed.viewer === null) throw new AppError(doorErrors.characterNeeded);
      return passed.viewer;
    },
    cookies: {
      session: () => passed.sessionId,
      setSession: (value) => setCookie(sessionCookieName, value, "session", sessionCookieSeconds),
      async get(name) {
        const sealed = request.cookies[`rollcall_${name}`];
        return sealed === undefined ? null : await options.seal.open(sealed, name);
      },
      set: (name, value, maxAgeSeconds) => setCookie(`rollcall_${name}`, value, name, maxAgeSeconds),
    },
    headers: request.headers,
  };
}

function limitedBy(request: FastifyRequest, passed: Passed): string {
  if (passed.account) return `account ${passed.account.accountId}`;
  return passed.actor.kind === "sync" ? `token ${passed.actor.tokenFingerprint}` : `address ${request.ip}`;
}

/** What an answer shows or saves can run nothing in our origin. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

async function sendOther(reply: FastifyReply, { answer }: OperationDefinition, result: unknown): Promise<FastifyReply> {
  if (answer === "redirect") {
    const { location } = result as RedirectAnswer;
    return await reply.header("cache-control", "no-store").redirect(location, 303);
  }
  const { type, name, body, cacheSeconds } = result as FileAnswer;
  void reply.type(type).header("content-security-policy", inertPolicy);
  void reply.header("cache-control", cacheSeconds === undefined ? "no-store" : `private, max-age=${cacheSeconds}`);
  if (name !== undefined) void reply.header("content-disposition", `attachment; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`);
  if (typeof body === "string") return await reply.send(body);
  return await reply.send(body instanceof Uint8Array ? Buffer.from(body) : Readable.from(body));
}

/** Binds one operation: door, rate, validation, use case, answer cut to its schema. */
export function mountOperation(app: FastifyInstance, binding: Binding, options: MountOptions): void {
  const { operation, handle } = binding;
  const { input, output } = operation;
  const checks = {
    params: input.params ? createCheck(input.params, "params") : null,
    query: input.query ? createCheck(input.query, "query") : null,
    body: input.body ? createCheck(operation.itemwise ? openItems(input.body) : input.body, "body") : null,
  };
  const [feature = "http"] = operation.id.split(".", 1);
  const log = options.logs.subsystem(feature);
  let stringify: ((value: unknown) => string) | undefined;
  if (!app.hasRequestDecorator("passed")) app.decorateRequest("passed", null);

  /** Who was refused an object, and changes that failed, stand in the audit trail. */
  async function note(actor: Actor, thrown: unknown): Promise<void> {
    const error = toAppError(thrown, 0);
    if (error.definition.status === 403) await options.denied(actor, operation.id, error);
    if (error.definition.status >= 500 && operation.method !== "GET") await options.failed(actor, operation.id, error);
  }

  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: operation.bodyLimit ?? defaultBodyLimit,
    onRequest: async (request) => {
      const passed = await options.pass(operation.access, request, originOf(request)).catch(async (error: unknown) => {
        if (!(error instanceof Denied)) throw error;
        await options.denied(error.actor, operation.id, error.error);
        throw error.error;
      });
      options.takeOne(operation.rate, limitedBy(request, passed));
      request.passed = passed;
    },
    handler: async (request, reply) => {
      const given = {
        params: checks.params?.(request.params),
        query: checks.query?.(request.query),
        body: checks.body?.(request.body),
      };
      const pending: Promise<void>[] = [];
      const context = contextOf(request, reply, options, pending);
      const result: unknown = await handle(context, given as never).catch(async (error: unknown) => {
        await note(context.actor, error);
        throw error;
      });
      await Promise.all(pending);
      log.debug(
        {
          operation: operation.id,
          ms: Math.round(options.clock.monotonic() - request.startedAt),
          traceId: request.traceId,
        },
        "done",
      );
      if (operation.answer !== undefined && operation.answer !== "json") return await sendOther(reply, operation, result);
      void reply.header("cache-control", "no-store");
      if (output === null) return await reply.code(204).send();
      stringify ??= fastJsonStringify(output) as (value: unknown) => string;
      return await reply.type("application/json; charset=utf-8").send(stringify(result));
    },
  });
}

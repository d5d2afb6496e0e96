import fastJsonStringify from "fast-json-stringify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { positionHeader } from "#core/contract/realtime.ts";
import type { Binding, CallContext } from "#core/feature.ts";
import type { FileAnswer, OperationDefinition, RedirectAnswer } from "#core/contract/operation.ts";
import { type CookieSeal, cookieHeader, sessionCookieName } from "./cookie.ts";
import { Denied } from "./guard.ts";
import type { Clock, KeptAnswer, Logs } from "#core/ports/index.ts";
import { defaultBodyLimit, type HttpSettings, originOf } from "./call.ts";
import { sendFile } from "./file-answer.ts";
import type { LiveSockets } from "./live.ts";
import { refuseOpenedFromElsewhere } from "./origin.ts";
import type { Principal } from "./principal.ts";
import { toAppError } from "./problem.ts";
import { limitedBy, type RateLimiter } from "./rate.ts";
import type { GuardBudgets } from "./guard-budgets.ts";
import { idempotencyHeader, keyedCall, type KeyedWork, type KeyedCalls, replayedHeader } from "./idempotency.ts";
import { createCheck, createNameCheck } from "./validate.ts";

interface MountOptions {
  readonly settings: HttpSettings;
  readonly guardBudgets: GuardBudgets;
  readonly seal: CookieSeal;
  readonly logs: Logs;
  readonly clock: Clock;
  readonly denied: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly failed: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly refusedSync: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly rates: RateLimiter;
  readonly keyed: KeyedCalls;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
  readonly live: Pick<LiveSockets, "position">;
}

/**
 * What a viewer read holds all changes up to this position, from which a live topic can continue. What is public tells it
 * to a browser with a session, whose cookie nobody else can make: who is not signed in does not learn how much happens here.
 */
function tellPosition(reply: FastifyReply, { method }: OperationDefinition, principal: Principal, options: MountOptions): void {
  if (method !== "GET" || (principal.account === null && principal.sessionId === null)) return;
  const at = options.live.position();
  if (at !== null) void reply.header(positionHeader, `${at.seq} ${at.epoch}`);
}

/** How long the browser keeps the session cookie; the server's session expires sooner when unused. */
export const sessionCookieSeconds = 14 * 24 * 60 * 60;

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions & { readonly operation: OperationDefinition },
  pending: Promise<void>[],
): CallContext {
  const principal = request.principal as Principal;
  const from = originOf(request);
  const { settings } = options;
  const cookie = {
    domain: settings.cookieDomain,
    secure: settings.publicUrl.startsWith("https:"),
    maxAgeSeconds: sessionCookieSeconds,
  };
  const setCookie = (name: string, value: string | null, type: string, maxAgeSeconds: number) => {
    const sealed = value === null ? Promise.resolve(null) : options.seal.seal(value, type);
    // Keeps the order in which cookies were set, however long each took to seal.
    const turn = Promise.all([sealed, pending.at(-1)]);
    pending.push(turn.then(([text]) => void reply.header("set-cookie", cookieHeader(name, text, { ...cookie, maxAgeSeconds }))));
  };
  return {
    ...from,
    actor: principal.actor,
    account() {
      if (principal.account === null) throw new AppError(guardErrors.signInNeeded);
      return principal.account;
    },
    viewer() {
      if (principal.viewer === null) throw new AppError(guardErrors.characterNeeded);
      return principal.viewer;
    },
    link() {
      if (principal.link === undefined) throw new AppError(guardErrors.linkInvalid);
      return principal.link.actor;
    },
    cookies: {
      session: () => principal.sessionId,
      setSession: (value) => setCookie(sessionCookieName, value, "session", sessionCookieSeconds),
      async get(name) {
        const sealed = request.cookies[`rollcall_${name}`];
        return sealed === undefined ? null : await options.seal.open(sealed, name);
      },
      set: (name, value, maxAgeSeconds) => setCookie(`rollcall_${name}`, value, name, maxAgeSeconds),
    },
    headers: request.headers,
    upload: () => uploadOf(options.operation, request),
    reserveKey: async () => undefined,
    keepAnswer: async () => undefined,
    signal: () => waitingSignal(reply, options.stopping),
  };
}

/** Aborted as soon as nobody waits for the answer any more, or the process stops. */
function waitingSignal({ raw }: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once("close", () => void (raw.writableFinished || gone.abort()));
  return AbortSignal.any([gone.signal, stopping]);
}

async function sendOther(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer }: OperationDefinition,
  result: unknown,
): Promise<FastifyReply> {
  if (answer !== "redirect") return await sendFile(request, reply, result as FileAnswer);
  const { location } = result as RedirectAnswer;
  return await reply.header("cache-control", "no-store").redirect(location, 303);
}

/** Keeps the connection open when the handler stops reading, so that the answer can be sent. */
async function* incoming({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  try {
    yield* raw.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new AppError(guardErrors.malformedBody, { cause: error });
  }
}

async function send(reply: FastifyReply, { status, body }: KeptAnswer): Promise<FastifyReply> {
  void reply.header("cache-control", "no-store");
  if (body === null) return await reply.code(status).send();
  return await reply.code(status).type("application/json; charset=utf-8").send(body);
}

/** The body of an upload as a stream; nothing reads it before the handler. */
function uploadOf(operation: OperationDefinition, request: FastifyRequest): ReturnType<CallContext["upload"]> {
  if (operation.upload !== true) throw new Error(`${operation.id} does not accept uploads`);
  const declared = Number(request.headers["content-length"]);
  return {
    bytes: incoming(request),
    length: request.headers["content-length"] === undefined || !Number.isSafeInteger(declared) ? null : declared,
  };
}

/** A link has a budget of its own beside that of its network. */
function consumeOfLink(rates: RateLimiter, { link }: Principal): void {
  if (!link) return;
  const { perMinute } = link.definition.budget;
  rates.consumeOwn({ perSecond: perMinute / 60, burst: perMinute }, `link ${link.actor.linkId}`);
}

function checksOf({ input, itemwise, access }: OperationDefinition) {
  return {
    names: access.kind === "sync" ? createNameCheck(input.query) : null,
    params: input.params ? createCheck(input.params, "params") : null,
    query: input.query ? createCheck(input.query, "query") : null,
    body: input.body ? createCheck(input.body, "body", itemwise) : null,
  };
}

/** Throws the error for the caller, after the refusal of a known caller or of the Sync API was noted. */
async function authorize(operation: OperationDefinition, request: FastifyRequest, options: MountOptions): Promise<Principal> {
  try {
    return await options.guardBudgets.authorize(operation.access, request);
  } catch (error) {
    if (error instanceof Denied) {
      await options.denied(error.actor, operation.id, error.error);
      throw error.error;
    }
    if (operation.access.kind === "sync" && error instanceof AppError)
      await options.refusedSync({ kind: "anonymous", ...originOf(request) }, operation.id, error);
    throw error;
  }
}

/** Mounts one operation: guard, rate limit, validation, use case, answer reduced to its schema. */
export function mountOperation(app: FastifyInstance, binding: Binding, options: MountOptions): void {
  const { operation, handle } = binding;
  const { output } = operation;
  const checks = checksOf(operation);
  const [feature = "http"] = operation.id.split(".", 1);
  const log = options.logs.subsystem(feature);
  let stringify: ((value: unknown) => string) | undefined;
  if (!app.hasRequestDecorator("principal")) app.decorateRequest("principal", null);

  /** Refusals and failed changes are written to the audit log. */
  async function audit(actor: Actor, thrown: unknown): Promise<void> {
    const error = toAppError(thrown, 0);
    if (error.definition.status === 403) await options.denied(actor, operation.id, error);
    if (error.definition.status >= 500 && operation.method !== "GET") await options.failed(actor, operation.id, error);
  }

  const done = ({ startedAt, traceId }: FastifyRequest): void =>
    log.debug({ operation: operation.id, ms: Math.round(options.clock.monotonic() - startedAt), traceId }, "done");

  function answerOf(result: unknown): KeptAnswer {
    if (output === null) return { status: 204, body: null };
    stringify ??= fastJsonStringify(output) as (value: unknown) => string;
    return { status: 200, body: stringify(result) };
  }

  const bind = (scope: FastifyInstance) =>
    scope.route({
      method: operation.method,
      url: operation.path,
      // A game server's GET hands out requests, whose answer a HEAD would lose.
      exposeHeadRoute: operation.access.kind !== "sync",
      bodyLimit: operation.bodyLimit ?? defaultBodyLimit,
      config: { upload: operation.upload === true, counted: true },
      onRequest: async (request) => {
        const principal = await authorize(operation, request, options);
        if (principal.account !== null && principal.viewer === null) refuseOpenedFromElsewhere(request, operation.rate);
        options.rates.consume(operation.rate, limitedBy(principal, request.address));
        consumeOfLink(options.rates, principal);
        request.principal = principal;
      },
      handler: async (request, reply) => {
        checks.names?.(request.query);
        const given = {
          params: checks.params?.(request.params),
          query: checks.query?.(request.query),
          body: checks.body?.(request.body),
        };
        tellPosition(reply, operation, request.principal as Principal, options);
        const pending: Promise<void>[] = [];
        const context = contextOf(request, reply, { ...options, operation }, pending);
        const noted = async (error: unknown): Promise<never> => {
          await audit(context.actor, error);
          throw error;
        };
        const call = keyedCall(operation, request.headers[idempotencyHeader.toLowerCase()], context.actor, given);
        if (call !== null) {
          const work: KeyedWork = async (keepAnswer, reserveKey) =>
            await handle({ ...context, keepAnswer, reserveKey }, given as never);
          const answer = await options.keyed.run(call, work, answerOf).catch(noted);
          done(request);
          return await send(answer.replayed ? reply.header(replayedHeader, "true") : reply, answer);
        }
        const result: unknown = await handle(context, given as never).catch(noted);
        await Promise.all(pending);
        done(request);
        if (operation.answer !== undefined && operation.answer !== "json")
          return await sendOther(request, reply, operation, result);
        return await send(reply, answerOf(result));
      },
    });
  if (operation.upload !== true) {
    bind(app);
    return;
  }
  // In a scope of its own, where the body is not parsed, whatever its type.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The declared content type is ignored, even if malformed: the handler detects the type from the bytes.
    scope.addHook("onRequest", async ({ headers }) => void (headers["content-type"] = "application/octet-stream"));
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    bind(scope);
  });
}

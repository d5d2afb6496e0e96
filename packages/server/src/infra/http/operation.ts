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
import { sendFile } from "./file-answer.ts";
import { toAppError } from "./problem.ts";
import { limitedBy } from "./rate.ts";
import { createCheck } from "./validate.ts";

interface MountOptions {
  readonly settings: HttpSettings;
  readonly pass: ReturnType<typeof createDoor>;
  readonly seal: CookieSeal;
  readonly logs: Logs;
  readonly clock: Clock;
  readonly denied: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly failed: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly takeOne: (rateClass: RateClass, who: string) => void;
  /** Waited for before a refusal of a sign-in is answered. */
  readonly hold: () => Promise<void>;
}

/** How long the browser keeps the session cookie; the server's session ends sooner when unused. */
export const sessionCookieSeconds = 14 * 24 * 60 * 60;

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions & { readonly operation: OperationDefinition },
  pending: Promise<void>[],
): CallContext {
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
    upload: () => uploadOf(options.operation, request),
  };
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

/** Whoever stops reading leaves the connection as it is, so that the answer can be sent. */
async function* incoming({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  try {
    yield* raw.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new AppError(doorErrors.malformedBody, { cause: error });
  }
}

/** What the body of an upload is: the stream itself, read by nobody before the handler. */
function uploadOf(operation: OperationDefinition, request: FastifyRequest): ReturnType<CallContext["upload"]> {
  if (operation.upload !== true) throw new Error(`${operation.id} takes no upload`);
  const said = Number(request.headers["content-length"]);
  return {
    bytes: incoming(request),
    length: request.headers["content-length"] === undefined || !Number.isSafeInteger(said) ? null : said,
  };
}

/** Binds one operation: door, rate, validation, use case, answer cut to its schema. */
export function mountOperation(app: FastifyInstance, binding: Binding, options: MountOptions): void {
  const { operation, handle } = binding;
  const { input, output } = operation;
  const checks = {
    params: input.params ? createCheck(input.params, "params") : null,
    query: input.query ? createCheck(input.query, "query") : null,
    body: input.body ? createCheck(input.body, "body", operation.itemwise) : null,
  };
  const [feature = "http"] = operation.id.split(".", 1);
  const log = options.logs.subsystem(feature);
  let stringify: ((value: unknown) => string) | undefined;
  if (!app.hasRequestDecorator("passed")) app.decorateRequest("passed", null);

  /** Of a sign-in that is refused because there are too many. */
  async function holdBack(thrown: unknown): Promise<void> {
    if (operation.rate === "login" && toAppError(thrown, 0).definition.status === 429) await options.hold();
  }

  /** Who was refused an object, and changes that failed, stand in the audit trail. */
  async function note(actor: Actor, thrown: unknown): Promise<void> {
    const error = toAppError(thrown, 0);
    if (error.definition.status === 403) await options.denied(actor, operation.id, error);
    if (error.definition.status >= 500 && operation.method !== "GET") await options.failed(actor, operation.id, error);
  }

  const bind = (scope: FastifyInstance) =>
    scope.route({
      method: operation.method,
      url: operation.path,
      bodyLimit: operation.bodyLimit ?? defaultBodyLimit,
      config: { upload: operation.upload === true },
      onRequest: async (request) => {
        const passed = await options.pass(operation.access, request, originOf(request)).catch(async (error: unknown) => {
          if (!(error instanceof Denied)) throw error;
          await options.denied(error.actor, operation.id, error.error);
          throw error.error;
        });
        try {
          options.takeOne(operation.rate, limitedBy(passed, request.ip));
        } catch (error) {
          await holdBack(error);
          throw error;
        }
        request.passed = passed;
      },
      handler: async (request, reply) => {
        const given = {
          params: checks.params?.(request.params),
          query: checks.query?.(request.query),
          body: checks.body?.(request.body),
        };
        const pending: Promise<void>[] = [];
        const context = contextOf(request, reply, { ...options, operation }, pending);
        const result: unknown = await handle(context, given as never).catch(async (error: unknown) => {
          await note(context.actor, error);
          await holdBack(error);
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
        if (operation.answer !== undefined && operation.answer !== "json")
          return await sendOther(request, reply, operation, result);
        void reply.header("cache-control", "no-store");
        if (output === null) return await reply.code(204).send();
        stringify ??= fastJsonStringify(output) as (value: unknown) => string;
        return await reply.type("application/json; charset=utf-8").send(stringify(result));
      },
    });
  if (operation.upload !== true) {
    bind(app);
    return;
  }
  // In a scope of its own, where a body of any type is handed on unread.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The bytes say what they are; what the client says counts for nothing, not even when nobody can read it.
    scope.addHook("onRequest", async ({ headers }) => void (headers["content-type"] = "application/octet-stream"));
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    bind(scope);
  });
}

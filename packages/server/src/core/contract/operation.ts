import type { Static, TObject, TSchema } from "typebox";
import type { Access } from "./access.ts";
import type { ErrorDefinition } from "./errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Which rate limit counts a call: see `infra/http/rate.ts` for the numbers. */
export type RateClass = "read" | "search" | "write" | "login" | "sync" | "export" | "download";

export interface OperationInput {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
}

/** Input and output that the tests and the API page use; must satisfy the schemas. */
export interface OperationExample {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: unknown;
  readonly output?: unknown;
}

export type AnswerKind = "json" | "redirect" | "file";

/** What a handler with `answer: "redirect"` returns. */
export interface RedirectAnswer {
  /** A URL of this server, or one from `config.yaml`; never taken from the caller unchecked. */
  readonly location: string;
}

/** Bytes `from` to `to`, both included, counted from 0. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** What a handler with `answer: "file"` returns. */
export interface FileAnswer {
  /** Media type, with its charset where it is text. */
  readonly type: string;
  /** Name under which a browser saves it; displayed inline when left out. */
  readonly name?: string;
  /**
   * Text, bytes, a stream of chunks, or a function that opens the content (whole, or one range of it).
   * The function is not called for an answer without a body.
   */
  readonly body:
    | string
    | Uint8Array
    | AsyncIterable<string | Uint8Array>
    | ((range: ByteRange | null) => Promise<AsyncIterable<Uint8Array>>);
  /** Size of the whole file in bytes. Ranges are served if it is set and the body is bytes or a function. */
  readonly size?: number;
  /** Identifies exactly these bytes, without quotes: a client that has them gets a 304. */
  readonly etag?: string;
  /** How long the viewer's browser may cache it; not at all by default. */
  readonly cacheSeconds?: number;
  /** Shared caches may store it too: only for public content. */
  readonly shared?: boolean;
}

export interface OperationDefinition<I extends OperationInput = OperationInput, O extends TSchema | null = TSchema | null> {
  /** `<feature>.<verb>`, unique. */
  readonly id: string;
  readonly method: Method;
  /** Path with `:name` parameters, starting with `/api/`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly rate: RateClass;
  readonly input: I;
  /** Schema of the 200 answer; null means 204 without a body. Left unused by other kinds of answers. */
  readonly output: O;
  /**
   * The kind of answer; JSON by default. `redirect`: 303 to the handler's `location`. `file`: the
   * bytes of the handler's `FileAnswer`.
   */
  readonly answer?: AnswerKind;
  /** Errors in addition to those of the request guard (400, 401, 403, 429, 500). */
  readonly errors: readonly ErrorDefinition[];
  readonly example: OperationExample;
  /** Largest request body in bytes; 64 kB by default. */
  readonly bodyLimit?: number;
  /**
   * The request's body is bytes of any type and length (`CallContext.upload`): nothing is read before
   * the handler reads it, and the handler enforces the size. Excludes `input.body`.
   */
  readonly upload?: boolean;
  /**
   * The body is validated but not the entries of `body.items`: the handler validates them one by one
   * and reports the invalid ones, so that valid items are stored although others are invalid.
   */
  readonly itemwise?: boolean;
  /**
   * What a repeated call does, declared by every operation of the Sync API that changes something. `key`: it
   * accepts the header `Idempotency-Key`, and a call with the key of an earlier one gets the answer of that
   * one; its handler passes the answer to `CallContext.keepAnswer` in the transaction of its effect, or calls `reserveKey` before
   * an effect of several transactions. `effect`:
   * repeating it leaves the same state, and a key is ignored.
   */
  readonly idempotent?: "key" | "effect";
}

/** Declares one operation of the API: everything that callers, tests and the documentation need. */
export function defineOperation<
  const I extends OperationInput,
  O extends TSchema | null,
  const A extends AnswerKind | undefined = undefined,
>(
  definition: Omit<OperationDefinition<I, O>, "errors" | "answer"> & { errors?: readonly ErrorDefinition[]; answer?: A },
): Omit<OperationDefinition<I, O>, "answer"> & (A extends AnswerKind ? { readonly answer: A } : unknown) {
  return { errors: [], ...definition } as never;
}

type Part<I, K extends keyof OperationInput> = I extends { readonly [P in K]: infer S }
  ? S extends TSchema
    ? Static<S>
    : undefined
  : undefined;

/** What a handler receives: `{params, query, body}`, each typed by its schema. */
export interface InputOf<D extends OperationDefinition> {
  params: Part<D["input"], "params">;
  query: Part<D["input"], "query">;
  body: Part<D["input"], "body">;
}

export type OutputOf<D extends OperationDefinition> = D extends { readonly answer: "redirect" }
  ? RedirectAnswer
  : D extends { readonly answer: "file" }
    ? FileAnswer
    : D["output"] extends TSchema
      ? Static<D["output"]>
      : void;

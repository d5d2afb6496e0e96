import type { Static, TObject, TSchema } from "typebox";
import type { Access } from "./access.ts";
import type { ErrorDefinition } from "./errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Which rate limit counts a call: see `infra/http/rate.ts` for the numbers. */
export type RateClass = "read" | "search" | "write" | "login" | "sync" | "export";

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

/** What a handler with `answer: "redirect"` gives. */
export interface RedirectAnswer {
  /** An address of our own, or one that `config.yaml` names: never taken from the caller unchecked. */
  readonly location: string;
}

/** Bytes `from` to `to`, both included, counted from 0. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** What a handler with `answer: "file"` gives. */
export interface FileAnswer {
  /** Media type, with its charset where it is text. */
  readonly type: string;
  /** Name under which a browser saves it; shown in place when left out. */
  readonly name?: string;
  /**
   * Text, bytes, parts that are sent as they come, or what opens the content (whole, or one range of
   * it). Nothing is opened for an answer without a body.
   */
  readonly body:
    | string
    | Uint8Array
    | AsyncIterable<string | Uint8Array>
    | ((range: ByteRange | null) => Promise<AsyncIterable<Uint8Array>>);
  /** Bytes of the whole. With it and a body that is opened or bytes, ranges are answered. */
  readonly size?: number;
  /** Names exactly these bytes, without quotes: who has them already is answered 304. */
  readonly etag?: string;
  /** How long the viewer's own browser may keep it; not at all unless said. */
  readonly cacheSeconds?: number;
  /** Caches between us and the browser may keep it too: only for what anyone may see. */
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
   * How it answers; JSON unless said. `redirect`: 303 to the handler's `location`. `file`: the
   * bytes of the handler's `FileAnswer`.
   */
  readonly answer?: AnswerKind;
  /** Errors beyond the ones that the door itself answers (400, 401, 403, 429, 500). */
  readonly errors: readonly ErrorDefinition[];
  readonly example: OperationExample;
  /** Largest request body in bytes; 64 kB unless said. */
  readonly bodyLimit?: number;
  /**
   * The request's body is bytes of any type and any length (`CallContext.upload`): nothing is read
   * before the handler does, and the handler counts. Excludes `input.body`.
   */
  readonly upload?: boolean;
  /**
   * The door checks the body but not the entries of `body.items`: the handler checks them one by
   * one and reports the bad ones, so that good items are stored although others are bad.
   */
  readonly itemwise?: boolean;
}

/** Declares one operation of the API: everything that a caller, a test or a document needs. */
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

import { Type, type Static, type TObject, type TProperties, type TSchema } from "typebox";

/** An instant: milliseconds since 1970-01-01T00:00:00Z. */
export const Instant = Type.Integer({
  minimum: 0,
  /** The last one that a date can hold. */
  maximum: 8_640_000_000_000_000,
  description: "Milliseconds since 1970-01-01T00:00:00Z",
});
export type Instant = Static<typeof Instant>;

/** How a schema says in words what its pattern asks for. Part of the description of the API, so named as an extension. */
export const inWords = (problem: string) => ({ "x-problem": problem });

/** A calendar day, `YYYY-MM-DD`. */
export const Day = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}$",
  description: "YYYY-MM-DD",
  ...inWords("must be a day, such as 1990-04-01"),
});

/** Row version of something that people edit; a stale one gets a 409. */
export const Version = Type.Integer({ minimum: 1 });

/** A string that is one of a fixed set, written as a plain JSON Schema `enum`. */
export function OneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

/** The schema or null, as one JSON Schema with two types: a union would be serialised slowly. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: readonly unknown[] };
  // `enum` applies in addition to `type`, so null has to be among its values as well.
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, "null"], ...(values ? { enum: [...values, null] } : {}) });
}

/** An object schema with more members. */
export function extend<A extends TProperties, B extends TProperties>(base: TObject<A>, more: B) {
  return Type.Object({ ...base.properties, ...more });
}

/** The most that the total of a list counts. */
export const mostCounted = 10_000;

/**
 * One page of a list read by key: `next` is an opaque cursor, null on the last page.
 * `total` counts up to `mostCounted`; `totalCapped` says that there are more.
 */
export function PageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next: Nullable(Type.String()),
    total: Type.Integer({ minimum: 0, maximum: mostCounted }),
    totalCapped: Type.Boolean(),
  });
}

export interface Page<T> {
  items: T[];
  next: string | null;
  total: number;
  totalCapped: boolean;
}

/** Query fields of a keyset list. */
export const pageQuery = {
  /** Holds the last value of the order, a name or a text of up to 220 characters, in base64. */
  cursor: Type.Optional(Type.String({ maxLength: 2048, description: "`next` of the page before" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
};

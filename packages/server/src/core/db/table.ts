/**
 * The table DSL: one definition gives the row types of the query builder, the DDL of both
 * databases (through the migration kit) and the check that the migrations produce this schema.
 */

export type ColumnType = "int" | "flag" | "double" | "text" | "key" | "longText" | "blob";

export interface Column<S = unknown, I = S> {
  readonly type: ColumnType;
  /** Characters of `text` and `key`, bytes of `blob`. */
  readonly length: number | null;
  readonly nullable: boolean;
  readonly generated: boolean;
  readonly default: string | number | null | undefined;
  /** Types only: what a select returns and what an insert takes. */
  readonly "~select"?: () => S;
  readonly "~insert"?: () => I;
}

interface Builder<S, I> extends Column<S, I> {
  orNull(): Builder<S | null, I | null | undefined>;
  defaultsTo(value: string | number): Builder<S, I | undefined>;
}

function build<S, I>(column: Column<S, I>): Builder<S, I> {
  return {
    ...column,
    orNull: () => build<S | null, I | null | undefined>({ ...column, nullable: true }),
    defaultsTo: (value) => build<S, I | undefined>({ ...column, default: value }),
  };
}

function column<S, I = S>(type: ColumnType, length: number | null = null, generated = false): Builder<S, I> {
  return build<S, I>({ type, length, nullable: false, generated, default: undefined });
}

export const col = {
  /** Integer primary key assigned by the database: never reused, not even after a delete. */
  id: () => column<number, number | undefined>("int", null, true),
  /** 64-bit integer: counts, foreign ids, instants in milliseconds UTC. */
  int: () => column<number>("int"),
  /** 0 or 1. */
  flag: () => column<0 | 1>("flag"),
  double: () => column<number>("double"),
  /** Text for people: compared by the collation of the DSN, up to `length` characters. */
  text: (length: number) => column<string>("text", length),
  /** Text for machines (names, keys, tokens, plates): compared byte by byte. */
  key: (length: number) => column<string>("key", length),
  /** Unlimited text, also JSON, which repos encode and decode themselves. */
  longText: () => column<string>("longText"),
  blob: (length: number) => column<Uint8Array>("blob", length),
};

export interface TableOptions<C> {
  readonly primary: readonly (keyof C & string)[];
  readonly unique?: Readonly<Record<string, readonly (keyof C & string)[]>>;
  readonly indexes?: Readonly<Record<string, readonly (keyof C & string)[]>>;
}

export interface Table<N extends string = string, C extends Record<string, Column> = Record<string, Column>> {
  readonly name: N;
  readonly columns: C;
  readonly options: TableOptions<C>;
}

/** Table and index names carry the feature's name as prefix; index names are unique per database. */
export function defineTable<const N extends string, C extends Record<string, Column>>(
  name: N,
  columns: C,
  options: TableOptions<C>,
): Table<N, C> {
  return { name, columns, options };
}

// The properties are functions, because inference through an optional property drops `undefined`.
type Selected<C> = C extends { readonly "~select"?: () => infer S } ? S : never;
type Inserted<C> = C extends { readonly "~insert"?: () => infer I } ? I : never;
type Optional<C> = { [K in keyof C]: undefined extends Inserted<C[K]> ? K : never }[keyof C];

/** A row as selected. */
export type Row<T extends Table> = { [K in keyof T["columns"]]: Selected<T["columns"][K]> };

/** A row as inserted: generated, nullable and defaulted columns may be left out. */
export type NewRow<T extends Table> = {
  [K in Exclude<keyof T["columns"], Optional<T["columns"]>>]: Inserted<T["columns"][K]>;
} & { [K in Optional<T["columns"]> & keyof T["columns"]]?: Inserted<T["columns"][K]> };

/** The shape of a table for the query builder: `interface Tables { citizens: TableOf<typeof citizens> }`. */
export type TableOf<T extends Table> = {
  [K in keyof T["columns"]]: import("kysely").ColumnType<
    Selected<T["columns"][K]>,
    Inserted<T["columns"][K]>,
    Selected<T["columns"][K]>
  >;
};

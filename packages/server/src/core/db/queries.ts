import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tx } from "../ports/database.ts";
import type { Dialect } from "./dialect.ts";

/** The internals of a `Tx`: set by the database adapter, visible only here. */
interface TxInternals {
  readonly kysely: Kysely<unknown>;
  readonly dialect: Dialect;
  /** See `callProcedure`; its type is there. */
  readonly call: (procedure: never, input: unknown) => Promise<unknown>;
}

const internals = new WeakMap<Tx, TxInternals>();

/** For database adapters only: ties a `Tx` to its connection. */
export function bindTx(tx: Tx, value: TxInternals): void {
  internals.set(tx, value);
}

function of(tx: Tx): TxInternals {
  const found = internals.get(tx);
  if (!found) throw new Error("this Tx was not created by a database adapter");
  return found;
}

/** The query builder of `tx`, typed by the tables that the caller names. */
export function queries<Tables>(tx: Tx): Kysely<Tables> {
  return of(tx).kysely as unknown as Kysely<Tables>;
}

export function dialectOf(tx: Tx): Dialect {
  return of(tx).dialect;
}

/** For `callProcedure` only. */
export function callOf<P>(tx: Tx): (procedure: P, input: unknown) => Promise<unknown> {
  return of(tx).call as (procedure: P, input: unknown) => Promise<unknown>;
}

/** SQL that another part wrote, with its values, as a part of a query. */
export function sqlOf<T>({ sql: text, params }: { readonly sql: string; readonly params: readonly unknown[] }): RawBuilder<T> {
  const strings = text.split("?");
  return sql<T>(Object.assign(strings, { raw: strings }), ...params);
}

import type { DatabaseKind, Tx } from "../ports/database.ts";
import { callOf } from "./queries.ts";

export type ProcedureValue = string | number | null;

export interface ProcedureStatement {
  readonly sql: string;
  readonly params: readonly ProcedureValue[];
}

export type ProcedureRow = Readonly<Record<string, ProcedureValue>>;

/** Yields statements and gets their rows, until it returns its result. */
export type ProcedureSteps<O> = Generator<ProcedureStatement, O, readonly ProcedureRow[]>;

/**
 * Selects that depend on one another. SQLite runs all of them in its thread, for one message instead of one for each
 * statement and without copying the rows that are only looked at; so input and output are plain data. Its texts must
 * not vary with the input, or no prepared statement is ever used again.
 */
export interface Procedure<I, O> {
  readonly name: string;
  run(kind: DatabaseKind, input: I): ProcedureSteps<O>;
}

export async function callProcedure<I, O>(tx: Tx, procedure: Procedure<I, O>, input: I): Promise<O> {
  return (await callOf(tx)(procedure, input)) as O;
}

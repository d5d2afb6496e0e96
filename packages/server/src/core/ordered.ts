import { foldLetters } from "./contract/fold.ts";
import type { ErrorDefinition } from "./contract/errors.ts";
import { AppError } from "./errors.ts";

interface Placed {
  readonly position: number;
}

/**
 * Rows in the order that somebody wants: the named ones first, each once, then the others as they were. `moved`: those
 * that get another position, counted from 1.
 */
export function reordered<R extends Placed>(
  rows: readonly R[],
  named: readonly R[],
): { readonly sorted: readonly R[]; readonly moved: readonly { readonly row: R; readonly position: number }[] } {
  const first = new Set(named);
  const sorted = [...first, ...rows.filter((row) => !first.has(row))];
  const moved = sorted.map((row, at) => ({ row, position: at + 1 })).filter(({ row, position }) => row.position !== position);
  return { sorted, moved };
}

/** A row that a job names, puts into an order, deletes and restores. */
interface Kept extends Placed {
  readonly id: number;
  readonly deleted_at: number | null;
}

interface Named extends Kept {
  readonly name: string;
  /** The name without accents and case. */
  readonly name_key: string;
}

/** By what rows of a job differ. */
interface Naming<R> {
  /** As the refusal calls it. */
  readonly param: string;
  nameOf(row: R): string;
  /** The same without accents and case. */
  keyOf(row: R): string;
}

/** Most deleted rows of a job: they are kept for a while, and who creates and deletes without end would fill the table. */
export const mostDeleted = 120;

interface Refusals {
  readonly notFound: ErrorDefinition;
  /** With the name. */
  readonly nameTaken: ErrorDefinition;
  /** These two with the limit. */
  readonly full: ErrorDefinition;
  readonly deletedFull: ErrorDefinition;
}

/** What speaks against a change of such rows, in the words of their feature. All rows of the job are given, also deleted ones. */
export const keptRows = <R extends Named>(most: number, errors: Refusals) =>
  keptRowsBy<R>(most, errors, { param: "name", nameOf: ({ name }) => name, keyOf: ({ name_key: key }) => key });

/** The same for rows that go by something else than a name. */
export function keptRowsBy<R extends Kept>(most: number, errors: Refusals, { param, nameOf, keyOf }: Naming<R>) {
  const deleted = (rows: readonly R[]) => rows.filter((row) => row.deleted_at !== null).length;

  function find(rows: readonly R[], id: number, isDeleted: boolean): R {
    const row = rows.find((one) => one.id === id && (one.deleted_at !== null) === isDeleted);
    if (row === undefined) throw new AppError(errors.notFound);
    return row;
  }

  /** `except`: the row that gets the name. */
  function requireFree(rows: readonly R[], name: string, except: number): void {
    const key = foldLetters(name);
    if (rows.some((row) => row.deleted_at === null && keyOf(row) === key && row.id !== except))
      throw new AppError(errors.nameTaken, { params: { [param]: name } });
  }

  function requireRoom(rows: readonly R[]): void {
    if (rows.length - deleted(rows) >= most) throw new AppError(errors.full, { params: { most } });
  }

  function requireNew(rows: readonly R[], name: string): void {
    requireRoom(rows);
    if (deleted(rows) >= mostDeleted) throw new AppError(errors.deletedFull, { params: { most: mostDeleted } });
    requireFree(rows, name, 0);
  }

  function requireRestorable(rows: readonly R[], row: R): void {
    requireRoom(rows);
    requireFree(rows, nameOf(row), row.id);
  }

  return { find, requireFree, requireNew, requireRestorable };
}

/** Behind all others. */
export const lastPosition = (rows: readonly Placed[]): number => Math.max(0, ...rows.map((row) => row.position)) + 1;

interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** The columns of a row that is deleted: its name is free again. */
export const deletedColumns = ({ id, version }: Versioned, at: number, by: number) => {
  return { deleted_marker: id, deleted_at: at, deleted_by: by, version: version + 1 };
};

/**
 * Where rows stand once this one is restored: the others may have been put into another order meanwhile, so it comes back
 * near its place, and has that alone.
 */
export function placesWith<R extends Kept>(rows: readonly R[], restored: R) {
  const others = rows.filter((row) => row.deleted_at === null && row.id !== restored.id);
  const present = [...others, restored].toSorted((a, b) => a.position - b.position || a.id - b.id);
  return reordered(present, []).moved;
}

export const restoredColumns = ({ version }: Versioned) => {
  return { deleted_marker: 0, deleted_at: null, deleted_by: null, version: version + 1 };
};

import type { TObject } from "typebox";
import type { Actor } from "../actor.ts";
import type { Access } from "../contract/access.ts";
import type { Tx } from "./database.ts";

/** `instant`: milliseconds UTC, written as ISO 8601 in the zone of the DSN's `loc`. */
export interface ExportColumn<R = unknown> {
  readonly id: string;
  readonly type?: "instant";
  /** Whether this person may see the column; without it, everybody who may export the list does. */
  visibleTo?(actor: Actor): boolean;
  value(row: R): string | number | null;
}

/** What an export reads: the same in all of its pages. */
export interface ExportQuery<F = unknown> {
  /** The person who requested it, with the present rights. */
  readonly actor: Actor;
  readonly filter: F;
  /** Rows that appear later are left out where the list can tell. */
  readonly requestedAt: number;
}

export interface ExportPage<R = unknown> {
  readonly rows: readonly R[];
  /** Where the next page begins; null at the end. A page may be empty and have a next one. */
  readonly next: string | null;
}

/**
 * A list that people export as CSV, registered by a feature (`exports`). Its texts are in the feature's text
 * file under `exports.<name>`: `label`, and a header for each column under `columns.<id>`.
 */
export interface ExportKind<F = unknown, R = unknown> {
  /** `<feature>.<name>`. */
  readonly id: string;
  /** Each of them is needed; checked when the export is requested, before each page and before the download. */
  readonly access: readonly Access[];
  readonly filter: TObject;
  readonly columns: readonly ExportColumn<R>[];
  /** Path of the page in the application that shows the export. */
  readonly page: string;
  /** The most rows; an export of more fails. */
  readonly mostRows: number;
  /** The most bytes; 250 MB by default. */
  readonly mostBytes?: number;
  /**
   * What rows and columns depend on besides the filter, for example the job of a reader who sees only its entries.
   * An export ends when it changes.
   */
  scopeOf(actor: Actor): string;
  /** The number of rows, counted up to `cap`; null where that is not cheap. */
  count(tx: Tx, query: ExportQuery<F>, cap: number): Promise<number | null>;
  /** At most `limit` rows after a position, by a keyset and never by an offset. */
  read(tx: Tx, query: ExportQuery<F>, after: string | null, limit: number): Promise<ExportPage<R>>;
  /** Called outside of a unit of work when the export has this row alone, each time that it is written. */
  onlyRow?(query: ExportQuery<F>, row: R): Promise<void>;
}

/** `F` is the type of the filter that the schema describes. */
export function exportKind<F, R>(kind: ExportKind<F, R>): ExportKind {
  return kind;
}

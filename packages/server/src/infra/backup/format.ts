import type { ColumnType } from "#core/db/table.ts";
import type { DatabaseKind } from "#core/ports/index.ts";

/** An archive or a target cannot be used. The message is one line for the operator. */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}

/** Increased when archives change so that older versions cannot read them. */
export const backupFormat = 1;

export interface BackedUpColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly generated: boolean;
}

export interface BackedUpTable {
  readonly name: string;
  readonly columns: readonly BackedUpColumn[];
  readonly primary: readonly string[];
  /** The id of the next new row; null if the database does not assign ids. */
  readonly nextId: number | null;
}

/** `backup.json`, the first entry: describes the archive before anything else is read. */
export interface BackupHeader {
  readonly format: number;
  readonly program: string;
  /** When the snapshot began, milliseconds UTC. */
  readonly takenAt: number;
  readonly engine: DatabaseKind;
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** Identifies the key of the sealed values; null without `secret`. */
  readonly keyId: string | null;
  readonly tables: readonly BackedUpTable[];
  /** False when the archive contains only the database. */
  readonly files: boolean;
}

export interface TableSum {
  readonly rows: number;
  /** Sum of the SHA-256 of its lines modulo 2^256, in hex: independent of the order of the rows. */
  readonly sum: string;
}

/** One line of `files/index/<n>.ndjson`. */
export interface BackedUpFile {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

export interface FilesSum {
  readonly count: number;
  readonly bytes: number;
  /** As for a table, over the lines of the index. */
  readonly sum: string;
}

/** `manifest.json`, the last entry: an archive without it was cut off. */
export interface BackupManifest {
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly files: FilesSum;
}

export const entryNames = {
  header: "backup.json",
  manifest: "manifest.json",
  table: (name: string, part: number) => `tables/${name}/${String(part).padStart(6, "0")}.ndjson`,
  file: (key: string) => `files/data/${key}`,
  fileIndex: (part: number) => `files/index/${String(part).padStart(6, "0")}.ndjson`,
} as const;

/** Size of one chunk of a table in bytes: as much as is in memory at a time. */
export const partBytes = 4 * 1024 * 1024;

import type { ColumnType } from "#core/db/table.ts";
import type { DatabaseKind } from "#core/ports/index.ts";

/** Why an archive or a target cannot be used: one line for the operator. */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}

/** Grows when archives change so that an older program cannot read them. */
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
  /** The number that the next new row gets; null where rows are not numbered by the database. */
  readonly nextId: number | null;
}

/** `backup.json`, the first entry: what the archive is, before anything of it is used. */
export interface BackupHeader {
  readonly format: number;
  readonly program: string;
  /** Milliseconds UTC, when the snapshot began. */
  readonly takenAt: number;
  readonly engine: DatabaseKind;
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** Names the key of what is sealed in it; null without `secret`. */
  readonly keyId: string | null;
  readonly tables: readonly BackedUpTable[];
  /** False when the archive holds the database alone. */
  readonly files: boolean;
}

export interface TableSum {
  readonly rows: number;
  /** Sum of the SHA-256 of its lines modulo 2^256, in hex: the same in whatever order an engine gives the rows. */
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
  /** Like that of a table, over the lines of the index. */
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

/** Bytes of one part of a table: what is held in memory at a time. */
export const partBytes = 4 * 1024 * 1024;

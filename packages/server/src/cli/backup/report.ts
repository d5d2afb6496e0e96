import type { BackupManifest } from "#infra/backup/index.ts";

/** Where a command says how far it is; what it found goes to standard output. */
export function createReport(target: { write(text: string): unknown }) {
  return {
    /** One line for everything that holds something. */
    progress: (what: string, count: number): void => {
      if (count > 0) target.write(`  ${what.padEnd(24)} ${count}\n`);
    },
    say: (line: string): void => void target.write(`${line}\n`),
  };
}

/** For example `1204 rows in 38 tables, 12 files of 3.1 MB`. */
export function sizeOf({ tables, files }: BackupManifest): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const filled = Object.values(tables).filter((table) => table.rows > 0).length;
  return `${rows} rows in ${filled} tables, ${files.count} files of ${(files.bytes / 1_000_000).toFixed(1)} MB`;
}

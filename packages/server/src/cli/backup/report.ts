import type { ForeignNames } from "#core/own-objects.ts";
import type { BackupManifest } from "#infra/backup/index.ts";

/** The progress output of a command; results go to standard output. */
export function createReport(target: { write(text: string): unknown }) {
  return {
    /** One line per item that is not empty. */
    progress: (what: string, count: number): void => {
      if (count > 0) target.write(`  ${what.padEnd(24)} ${count}\n`);
    },
    /** One line about foreign objects, if there are any. */
    foreign: ({ count, names }: ForeignNames, where: string, so: string): void => {
      if (count > 0) target.write(`${count} in ${where} ${count === 1 ? "is" : "are"} not Rollcall's and ${so}: ${names}\n`);
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

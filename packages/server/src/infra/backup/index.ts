export { BackupRefused, type BackupHeader, type BackupManifest } from "./format.ts";
export { type LoadedBackup, loadBackup, migrationsOf } from "./load.ts";
export { readBackup, readHeader } from "./read.ts";
export { finishRestore } from "./settle.ts";
export { mariadbTarget } from "./target.mariadb.ts";
export { sqliteTarget } from "./target.sqlite.ts";
export type { RestoreTarget } from "./target.ts";
export { assertArchiveName, writeBackup } from "./write.ts";

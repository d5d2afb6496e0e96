import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Migration } from "./kit.ts";
import { openMigration } from "./open.ts";

export interface MigrationFile {
  readonly name: string;
  /** SHA-256 of the text with LF line endings. */
  readonly checksum: string;
  readonly up: Migration;
}

const namePattern = /^\d{12}_[a-z0-9]+(_[a-z0-9]+)+$/;

async function load(folder: string, name: string): Promise<MigrationFile> {
  const text = await readFile(join(folder, `${name}.ts`), "utf8");
  const loaded = await openMigration(folder, name);
  if (typeof loaded.default !== "function")
    throw new Error(`migration ${name} has no default export: export default migration(...)`);
  const checksum = createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
  return { name, checksum, up: loaded.default as Migration };
}

/** The migrations of this version, oldest first: every `YYYYMMDDHHMM_feature_what.ts` in the folder. */
export async function loadMigrations(folder: string = import.meta.dirname): Promise<MigrationFile[]> {
  const entries = await readdir(folder);
  const names = entries.filter((entry) => /^\d.*\.ts$/.test(entry)).map((entry) => entry.slice(0, -".ts".length));
  for (const name of names) {
    if (!namePattern.test(name)) throw new Error(`migration ${name}: name it YYYYMMDDHHMM_feature_what.ts`);
  }
  return await Promise.all(names.sort().map((name) => load(folder, name)));
}

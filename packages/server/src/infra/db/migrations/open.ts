import path from "node:path";
import { pathToFileURL } from "node:url";

/** Imports a migration from its file. In the built program, a generated module that contains all migrations replaces this one. */
export async function openMigration(folder: string, name: string): Promise<{ default?: unknown }> {
  return (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as { default?: unknown };
}

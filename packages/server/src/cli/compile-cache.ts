import { enableCompileCache } from "node:module";
import path from "node:path";

/**
 * Types are stripped once per version instead of at every start and in every thread: half the start,
 * and 12 MB a thread. Where the folder cannot be written, it goes as before. To be called before
 * the program is imported.
 */
export function keepCompiledCode(): void {
  const { directory } = enableCompileCache(path.resolve(import.meta.dirname, "../../../../node_modules/.cache/rollcall"));
  // Threads learn the folder from the environment.
  if (directory !== undefined) process.env["NODE_COMPILE_CACHE"] ??= directory;
}

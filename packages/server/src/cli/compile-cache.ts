import { enableCompileCache } from "node:module";
import path from "node:path";

/**
 * Enables Node's compile cache, so that code is compiled, and types of sources are stripped, once per version
 * instead of at every start and in every thread. Without effect if the folder is not writable. Has to be called
 * before the program is imported.
 */
export function keepCompiledCode(): void {
  const { directory } = enableCompileCache(path.resolve(import.meta.dirname, "../../../../node_modules/.cache/rollcall"));
  // Threads get the folder from the environment.
  if (directory !== undefined) process.env["NODE_COMPILE_CACHE"] ??= directory;
}

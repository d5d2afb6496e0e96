import { enableCompileCache } from "node:module";
import path from "node:path";

// Types are stripped once per version instead of at every start and in every thread: half the start,
// and 15 MB a thread. Where the folder cannot be written, it goes as before. Threads learn the
// folder from the environment.
const { directory } = enableCompileCache(path.resolve(import.meta.dirname, "../../../node_modules/.cache/rollcall"));
if (directory !== undefined) process.env["NODE_COMPILE_CACHE"] ??= directory;

const { run } = await import("./cli/main.ts");
await run(process.argv.slice(2));

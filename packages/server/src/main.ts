import { keepCompiledCode } from "./cli/compile-cache.ts";

// Before anything is written: the database, the broker's file and uploads hold personal data.
process.umask(0o077);

keepCompiledCode();
const { run } = await import("./cli/main.ts");
await run(process.argv.slice(2));

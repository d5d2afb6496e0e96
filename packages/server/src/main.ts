import { keepCompiledCode } from "./cli/compile-cache.ts";

keepCompiledCode();
const { run } = await import("./cli/main.ts");
await run(process.argv.slice(2));

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const server = path.resolve(import.meta.dirname, "../packages/server");

/** Notes the sizes and times of the server's sources, by which `rollcall` knows that the built program is theirs. */
export function writeSources(): void {
  const { sourcesOf } = createRequire(import.meta.url)(path.join(server, "bin", "sources.cjs")) as { sourcesOf(): string };
  writeFileSync(path.join(server, "dist", ".sources"), sourcesOf());
}

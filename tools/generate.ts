import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Generator } from "./generators/generator.ts";
import { registries } from "./generators/registries.ts";

const root = path.resolve(import.meta.dirname, "..");
const check = process.argv.includes("--check");
const stale: string[] = [];

async function bringUpToDate(generators: readonly Generator[]): Promise<void> {
  for (const generator of generators) {
    for (const [file, content] of Object.entries(await generator.outputs())) {
      const target = path.join(root, file);
      const now = await readFile(target, "utf8").catch(() => null);
      if (now === content) continue;
      if (check) {
        stale.push(file);
        continue;
      }
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
      process.stdout.write(`wrote ${file} (${generator.name})\n`);
    }
  }
}

await bringUpToDate(registries);
const { generators } = await import("./generators/index.ts");
await bringUpToDate(generators);

if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(", ")}\nrun npm run generate and commit the result\n`);
  process.exitCode = 1;
}

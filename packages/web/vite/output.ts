import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = new Set([".js", ".css", ".svg", ".json"]);

/** Writes `.br` and `.gz` next to every compressible asset; the page itself differs per response. */
export function compressAssets(): Plugin {
  let outDir = "";
  return {
    name: "rollcall-compress",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      outDir = join(config.root, config.build.outDir);
    },
    // Not when the build ends, which it also does after an error that this one would hide.
    async writeBundle() {
      const folder = join(outDir, "assets");
      for (const name of await readdir(folder)) {
        if (!COMPRESSIBLE.has(extname(name))) continue;
        const path = join(folder, name);
        const plain = await readFile(path);
        if (plain.length < 1024) continue;
        const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        await writeFile(`${path}.br`, brotli);
        await writeFile(`${path}.gz`, gzipSync(plain, { level: 9 }));
      }
    },
  };
}

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";

// The game's embedded browser is Chromium 103. One npm package contains a build of it, compressed with
// brotli; it is installed into a folder of its own because of its old peer dependencies.
const folder = import.meta.dirname;
const target = path.join(folder, ".browser", "chromium");

if (!existsSync(path.join(folder, "node_modules", "playwright-core"))) {
  const args = [
    "install",
    "--no-save",
    "--no-package-lock",
    "--legacy-peer-deps",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--ignore-scripts",
  ];
  const { status } = spawnSync("npm", args, {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error("the packages of Chromium 103 could not be installed, see above");
}
if (!existsSync(target)) {
  mkdirSync(path.dirname(target), { recursive: true });
  const packed = readFileSync(path.join(folder, "node_modules", "@sparticuz", "chrome-aws-lambda", "bin", "chromium.br"));
  writeFileSync(`${target}.tmp`, brotliDecompressSync(packed));
  chmodSync(`${target}.tmp`, 0o755);
  renameSync(`${target}.tmp`, target);
}
process.stdout.write(`Chromium 103 is ready\n`);

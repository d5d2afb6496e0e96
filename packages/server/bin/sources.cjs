"use strict";
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync, statSync, existsSync } = require("node:fs");
const path = require("node:path");

const server = path.resolve(__dirname, "..");
const root = path.resolve(server, "../..");

/** What the bundle is made of: the sources, the manifests that say what their imports mean, the locked packages and the bundler. */
const inputs = [
  "packages/server/src",
  "packages/server/package.json",
  "packages/sync-sdk/src",
  "packages/sync-sdk/package.json",
  "package-lock.json",
  "tools/bundle.ts",
];

function filesOf(input) {
  const place = path.join(root, input);
  if (statSync(place).isFile()) return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** A hash of the paths, sizes and modification times of all inputs: hundreds of files in about 10 ms. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap(filesOf)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/**
 * The program to run: the bundle, unless the sources have changed since it was built. An installation
 * has no tools to build with, and always runs its bundle.
 */
function programOf() {
  const bundle = path.join(server, "dist", "main.js");
  const source = path.join(server, "src", "main.ts");
  if (!existsSync(bundle)) return source;
  if (!existsSync(path.join(root, "tools", "build.ts"))) return bundle;
  try {
    // Its first line is of the contents, which would take too long to compare at each start.
    const [, built] = readFileSync(path.join(server, "dist", ".built-from"), "utf8").split("\n");
    return built === fingerprint() ? bundle : source;
  } catch {
    return source;
  }
}

module.exports = { inputs, fingerprint, programOf };

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { build } from "../../../../tools/build.ts";
import { compact, difference } from "./compare.ts";
import { type Picture, takePictures } from "./take.ts";

/**
 * `npm run pictures`: compares a picture of every page state with the reference set, prints what changed,
 * keeps it in shots/changed, and ends with 1 if anything did. `-- --accept [names]` makes the present
 * pictures the references, all of them or those of these names.
 */
const shots = path.resolve(import.meta.dirname, "../../shots");
const [references, changed] = [path.join(shots, "reference"), path.join(shots, "changed")];
const args = process.argv.slice(2);
const accepting = args.includes("--accept");
const named = args.filter((arg) => !arg.startsWith("--"));
const accepts = (name: string) => accepting && (named.length === 0 || named.includes(name));

const reference = (name: string) => path.join(references, `${name}.webp`);

/** What differs from the reference, in words; null if nothing does, or if it was accepted. */
async function judge({ name, png }: Picture): Promise<string | null> {
  const picture = await compact(png);
  const known = existsSync(reference(name)) ? readFileSync(reference(name)) : null;
  const found = known === null ? { what: "no reference", where: null } : await difference(known, picture);
  if (found === null) return null;
  const folder = accepts(name) ? references : changed;
  writeFileSync(path.join(folder, `${name}.webp`), picture);
  if (accepts(name)) return null;
  if (found.where !== null) writeFileSync(path.join(changed, `${name}.where.png`), found.where);
  return found.what;
}

const { available, launch } = currentChromium;
if (!available) throw new Error("pictures need the current Chromium");
await build({ onlyIfStale: true });
rmSync(changed, { recursive: true, force: true });
for (const folder of [references, changed]) mkdirSync(folder, { recursive: true });

const started = performance.now();
const browser = await launch();
const names = new Set<string>();
let faults = 0;
const report = (name: string, what: string) => {
  faults += 1;
  process.stdout.write(`${name}: ${what}\n`);
};
try {
  for await (const picture of takePictures(browser)) {
    names.add(picture.name);
    const what = await judge(picture);
    if (what !== null) report(picture.name, what);
  }
} finally {
  await browser.close();
}
for (const file of readdirSync(references)) {
  const name = path.basename(file, ".webp");
  if (names.has(name)) continue;
  if (accepts(name)) rmSync(path.join(references, file));
  else report(name, "a reference without a picture");
}
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(`${names.size} pictures in ${seconds} s, ${faults} changed${faults > 0 ? `: see ${changed}` : ""}\n`);
if (faults > 0) process.exitCode = 1;

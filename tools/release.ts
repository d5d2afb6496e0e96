/**
 * npm run release -- prepare <version>: writes the version everywhere and dates what is unreleased in CHANGELOG.md.
 * npm run release: checks the committed tree, writes tarball, checksum and feed into release/, and tags the commit.
 * With --dry-run it does all of that but the tag.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { hasUnreleased, notesOf, released } from "./release/changelog.ts";
import { pack } from "./release/pack.ts";
import { disagreements, root, versionNow, writeVersion } from "./release/versions.ts";

const changelog = path.join(root, "CHANGELOG.md");
const say = (text: string) => void process.stdout.write(`${text}\n`);
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

function prepare(version: string): void {
  if (!/^\d+\.\d+\.\d+(?:-[\da-z.-]+)?$/i.test(version)) throw new Error(`${version} is no version: write it as 1.2.3`);
  const text = released(readFileSync(changelog, "utf8"), version, new Date().toISOString().slice(0, 10));
  writeFileSync(changelog, text);
  writeVersion(version);
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], { cwd: root, stdio: ["ignore", 2, 2] });
  say(
    `Version ${version} is written. Read the notes in CHANGELOG.md, run npm run generate and bash .ci/run, commit, then: npm run release`,
  );
}

/** What stands in the way of a release of this commit. */
function problems(version: string): string[] {
  const found = disagreements();
  if (git("status", "--porcelain") !== "") found.push("there are changes that are not committed");
  if (hasUnreleased(readFileSync(changelog, "utf8")))
    found.push(
      `CHANGELOG.md has notes under [Unreleased], which ${version} does not name: npm run release -- prepare <next version>`,
    );
  if (git("tag", "--list", `v${version}`) !== "")
    found.push(`the tag v${version} exists: npm run release -- prepare <next version>`);
  return found;
}

async function release({ dry }: { dry: boolean }): Promise<void> {
  const version = versionNow();
  const found = problems(version);
  if (found.length > 0) throw new Error(found.join("\n"));
  const notes = notesOf(readFileSync(changelog, "utf8"), version);
  const file = await pack(version, notes);
  say(`Wrote ${path.relative(root, file)}, release/SHA256SUMS and release/releases.json.`);
  if (dry) return say(`Not tagged (--dry-run). The tag would be v${version}.`);
  git("tag", "--annotate", `v${version}`, "--message", `Rollcall ${version}\n\n${notes.text}`);
  say(`Tagged v${version}. Publish it with: git push origin v${version}`);
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  const [what, version, ...more] = positionals;
  if (what === undefined) await release({ dry: values["dry-run"] });
  else if (what === "prepare" && version !== undefined && more.length === 0) prepare(version);
  else throw new Error("usage: npm run release [-- --dry-run], or npm run release -- prepare <version>");
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

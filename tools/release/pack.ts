import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Section } from "./changelog.ts";
import { feedWith, sumsWith } from "./published.ts";
import { root } from "./versions.ts";

const target = path.join(root, "release");

/** Standard error shows what the programs say; standard output stays free for the result. */
const run = (command: string, args: readonly string[], cwd = root) =>
  void execFileSync(command, args, { cwd, stdio: ["ignore", 2, 2] });

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Builds the committed tree in a clean folder and packs it; the same commit gives the same names, owners and times. */
async function packTree(version: string): Promise<string> {
  const place = mkdtempSync(path.join(tmpdir(), "rollcall-release-"));
  try {
    const [source, name] = [path.join(place, "src"), `rollcall-${version}`];
    mkdirSync(source);
    run("sh", ["-c", `git archive HEAD | tar -x -C "$1"`, "archive", source]);
    run("sh", [path.join(source, "deploy", "image", "build.sh"), source, path.join(place, name)]);
    // Packages of the platform are part of it, so that nothing is installed later.
    rmSync(path.join(place, name, "node_modules", `node-${process.platform}-${process.arch}`), { recursive: true, force: true });
    rmSync(path.join(place, name, "node_modules", ".bin", "node"), { force: true });
    for (const document of ["README.md", "CHANGELOG.md", "docs", "deploy"])
      run("cp", ["-R", path.join(source, document), path.join(place, name)]);
    mkdirSync(target, { recursive: true });
    const file = path.join(target, `${name}-${process.platform}-${process.arch}.tar.gz`);
    const time = execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).trim();
    const steady = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", `--mtime=@${time}`, "--mode=u+rw,go+r,go-w"];
    run("tar", ["-czf", file, ...steady, name], place);
    return file;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const written = (name: string): string | null => {
  const file = path.join(target, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
};

/** Writes the tarball, its checksum and the feed into `release/`. Returns the tarball's path. */
export async function pack(version: string, notes: Section): Promise<string> {
  const file = await packTree(version);
  const sums = sumsWith(written("SHA256SUMS"), { version, file: path.basename(file), sum: await sha256(file) });
  writeFileSync(path.join(target, "SHA256SUMS"), sums);
  writeFileSync(path.join(target, "releases.json"), feedWith(written("releases.json"), version, notes));
  return file;
}

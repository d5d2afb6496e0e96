import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..", "..");

interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const sdkVersionFile = path.join(root, "packages", "sync-sdk", "src", "version.ts");
const sdkVersion = /(?<=sdkVersion = ")[^"]+/;

function read(file: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, file), "utf8")) as Manifest;
}

const manifests = () => ["package.json", ...read("package.json").workspaces!.map((folder) => `${folder}/package.json`)];

/** The version of this repository. */
export const versionNow = (): string => read("package.json").version;

const own = (dependencies: Record<string, string> = {}) =>
  Object.entries(dependencies).filter(([name]) => name.startsWith("@rollcall/"));

/** Where another version stands than in package.json of the root; empty when all agree. */
export function disagreements(): string[] {
  const version = versionNow();
  const found: string[] = [];
  for (const file of manifests()) {
    const { version: stated, dependencies, devDependencies } = read(file);
    if (stated !== version) found.push(`${file}: version is ${stated}, not ${version}`);
    for (const [name, wanted] of [...own(dependencies), ...own(devDependencies)])
      if (wanted !== version) found.push(`${file}: ${name} is ${wanted}, not ${version}`);
  }
  const [sdk] = sdkVersion.exec(readFileSync(sdkVersionFile, "utf8")) ?? [];
  if (sdk !== version) found.push(`packages/sync-sdk/src/version.ts: sdkVersion is ${sdk ?? "missing"}, not ${version}`);
  return found;
}

/** Writes a version everywhere but into the lock file, which npm brings up to date. */
export function writeVersion(version: string): void {
  for (const file of manifests()) {
    const manifest = read(file);
    manifest.version = version;
    for (const dependencies of [manifest.dependencies, manifest.devDependencies])
      for (const [name] of own(dependencies)) dependencies![name] = version;
    writeFileSync(path.join(root, file), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  writeFileSync(sdkVersionFile, readFileSync(sdkVersionFile, "utf8").replace(sdkVersion, version));
}

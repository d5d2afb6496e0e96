import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = import.meta.dirname;
const root = path.resolve(here, "../..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: object;
}

/** package.json of what is published. */
function publishedManifest(): object {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(path.join(here, "package.json"), "utf8"),
  ) as Manifest;
  return {
    name,
    version,
    description,
    license,
    engines,
    sideEffects: false,
    main: "./index.cjs",
    types: "./index.d.ts",
    exports: {
      ".": {
        import: { types: "./index.d.mts", default: "./index.mjs" },
        require: { types: "./index.d.ts", default: "./index.cjs" },
      },
      "./package.json": "./package.json",
    },
  };
}

async function writeCode(out: string): Promise<void> {
  const shared = {
    entryPoints: [path.join(here, "src/index.ts")],
    bundle: true,
    platform: "node",
    target: "node16",
    logLevel: "warning",
    absWorkingDir: here,
  } as const;
  await build({ ...shared, format: "cjs", outfile: path.join(out, "index.cjs") });
  await build({ ...shared, format: "esm", outfile: path.join(out, "index.mjs") });
}

const relativeImport = /((?:from|import\() ?"\.{1,2}\/[^"]+)\.ts"/g;

/** Declarations that the entry reaches; compilers before 5.7 know only `.js` in their imports. */
function keepReachable(directory: string, entry: string): void {
  const files = new Map<string, string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    const text = readFileSync(path.join(directory, file), "utf8").replaceAll(relativeImport, '$1.js"');
    files.set(file, text);
    for (const [, target = ""] of text.matchAll(/(?:from|import\() ?"(\.[^"]+)\.js"/g))
      visit(path.join(path.dirname(file), `${target}.d.ts`));
  };
  visit(entry);
  rmSync(directory, { recursive: true });
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  }
}

function writeTypes(out: string): void {
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const types = path.join(out, "types");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", path.join(here, "tsconfig.build.json"), "--outDir", types], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the types could not be written:\n${stdout}`);
  keepReachable(types, "index.d.ts");
  for (const name of ["index.d.ts", "index.d.mts"]) writeFileSync(path.join(out, name), 'export * from "./types/index.js";\n');
}

/** Writes the package as it is published to `out`. */
export async function buildSdk(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await writeCode(out);
  writeTypes(out);
  writeFileSync(path.join(out, "package.json"), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  copyFileSync(path.join(here, "README.md"), path.join(out, "README.md"));
  copyFileSync(path.join(root, "LICENSE"), path.join(out, "LICENSE"));
}

/** Writes the package as one file that npm installs without a registry. */
export async function packSdk(file: string): Promise<void> {
  const place = mkdtempSync(path.join(tmpdir(), "rollcall-sdk-"));
  try {
    await buildSdk(path.join(place, "package"));
    const { status, stderr } = spawnSync("npm", ["pack", "./package", "--silent"], { cwd: place, encoding: "utf8" });
    const packed = readdirSync(place).find((name) => name.endsWith(".tgz"));
    if (status !== 0 || packed === undefined) throw new Error(`npm pack failed:\n${stderr}`);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(place, packed), file);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await packSdk(path.resolve(process.argv[2] ?? "rollcall-sync-sdk.tgz"));

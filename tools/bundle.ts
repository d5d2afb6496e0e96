import { globSync } from "node:fs";
import path from "node:path";
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from "rolldown";
import { type Part, replaceParts } from "./parts.ts";

const root = path.resolve(import.meta.dirname, "..");
const server = path.join(root, "packages", "server");
const dist = path.join(server, "dist");
const packages = `${path.join(root, "packages")}${path.sep}`;
const migrations = path.join(server, "src", "infra", "db", "migrations");

/** Packages that stay external: native ones, those that look for files of their own, and large ones that are loaded only where they are used. */
const external =
  /^(?:better-sqlite3|sharp|@node-rs\/argon2|pino|swagger-ui-dist|mysql2|@nats-io\/.*|@aws-sdk\/.*|@opentelemetry\/(?!api$).*|bufferutil|utf-8-validate)(?:\/|$)/;

/** Migrations are found by their names, so that no import shows them to the bundler. */
export const migrationModules = {
  name: "migration-modules",
  load(id: string) {
    if (id !== path.join(migrations, "open.ts")) return null;
    const names = globSync("[0-9]*.ts", { cwd: migrations }).map((file) => path.basename(file, ".ts"));
    const entries = names.toSorted().map((name) => `${JSON.stringify(name)}: async () => await import("./${name}.ts"),`);
    return {
      moduleType: "ts" as const,
      code: `const all: Record<string, () => Promise<object>> = { ${entries.join("\n")} };
        export async function openMigration(_folder: string, name: string) {
          const open = all[name];
          if (!open) throw new Error(\`migration \${name} is not in this bundle: run npm run build\`);
          return await open();
        }`,
    };
  },
} satisfies Plugin;

/** Where a thread is started from a file beside the source. */
const thread = /new Worker\(new URL\("(\.\/[\w.-]+\.ts)", import\.meta\.url\)/g;

/** The code of a thread is a part of its own, as it is started by its path. */
export const threadModules = {
  name: "thread-modules",
  transform(code, id) {
    if (!id.startsWith(packages) || !code.includes("new Worker(")) return null;
    if (code.replaceAll(thread, "").includes("new Worker("))
      throw new Error(
        `${path.relative(root, id)}: write new Worker(new URL("./x.ts", import.meta.url), …), or the thread is not bundled`,
      );
    return {
      code: code.replaceAll(thread, (_all, file: string) => {
        const reference = this.emitFile({ type: "chunk", id: path.resolve(path.dirname(id), file) });
        return `new Worker(new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
      }),
    };
  },
} satisfies Plugin;

/** The forms of `import.meta` that mean in the bundle what they mean in the source, or are replaced so that they do. */
const knownMeta = /^import\.meta\.(?:url|dirname|resolve|ROLLUP_FILE_URL_\w+)$/;

/** Any other form would silently be that of the bundle. */
function refuseUnknownMeta(code: string, id: string): void {
  const unknown = code.match(/\bimport\.meta\b(?:\??\.\w+)?/g)?.find((form) => !knownMeta.test(form));
  if (unknown !== undefined)
    throw new Error(`${path.relative(root, id)}: ${unknown} is not known to tools/bundle.ts, use import.meta.url or .dirname`);
}

/** Lets a bundled module find the files beside its source, such as texts and programs. */
export const sourceMeta = {
  name: "source-import-meta",
  transform(code: string, id: string): { code: string } | null {
    if (!id.startsWith(packages) || !code.includes("import.meta")) return null;
    refuseUnknownMeta(code, id);
    const relative = path.relative(dist, id).replaceAll(path.sep, "/");
    const url = `new URL(${JSON.stringify(relative)}, import.meta.url)`;
    const folder = `process.getBuiltinModule("node:url").fileURLToPath(new URL(".", ${url}))`;
    return { code: code.replaceAll("import.meta.url", `${url}.href`).replaceAll("import.meta.dirname", folder) };
  },
} satisfies Plugin;

const partOf = (output: OutputChunk | OutputAsset): Part => ({
  name: output.fileName,
  content: output.type === "chunk" ? output.code : output.source,
});

/** Bundles the server into `packages/server/dist`: it then starts in half the time. */
export async function bundleServer(): Promise<void> {
  const bundle = await rolldown({
    input: path.join(server, "src", "main.ts"),
    cwd: server,
    platform: "node",
    external,
    plugins: [migrationModules, threadModules, sourceMeta],
  });
  const { output } = await bundle.generate({
    format: "esm",
    // All but the first part have names that change with their contents, for a program that runs from an older build.
    entryFileNames: ({ name }) => (name === "main" ? "main.js" : "[name]-[hash].js"),
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const parts = output.map(partOf);
  const isFirst = ({ name }: Part) => name === "main.js";
  replaceParts(
    dist,
    parts.find(isFirst)!,
    parts.filter((part) => !isFirst(part)),
  );
}

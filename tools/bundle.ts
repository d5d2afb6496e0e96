import { globSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { writeSources } from "./sources.ts";

const root = path.resolve(import.meta.dirname, "..");
const server = path.join(root, "packages", "server");
const dist = path.join(server, "dist");
const packages = `${path.join(root, "packages")}${path.sep}`;
const migrations = path.join(server, "src", "infra", "db", "migrations");

/** Packages that stay outside: native ones, those that look for files of their own, and large ones that are loaded only where they are used. */
const outside =
  /^(?:better-sqlite3|sharp|@node-rs\/argon2|pino|swagger-ui-dist|mysql2|@nats-io\/.*|@aws-sdk\/.*|@opentelemetry\/(?!api$).*|bufferutil|utf-8-validate)(?:\/|$)/;

/** Where a thread is started from a file beside the source. */
const thread = /new Worker\(new URL\("(\.\/[\w.-]+\.ts)", import\.meta\.url\)/g;

/**
 * Lets a bundled module find the files beside its source, such as texts and programs, bundles the code of
 * its threads, and contains the migrations, which are found by their names.
 */
const places: Plugin = {
  name: "places",
  load(id) {
    if (id !== path.join(migrations, "open.ts")) return null;
    const names = globSync("[0-9]*.ts", { cwd: migrations }).map((file) => path.basename(file, ".ts"));
    const entries = names.toSorted().map((name) => `${JSON.stringify(name)}: async () => await import("./${name}.ts"),`);
    return {
      moduleType: "ts",
      code: `const all: Record<string, () => Promise<object>> = { ${entries.join("\n")} };
        export async function openMigration(_folder: string, name: string) { return await all[name]!(); }`,
    };
  },
  transform(code, id) {
    if (!id.startsWith(packages) || !code.includes("import.meta.")) return null;
    const threads = code.replaceAll(thread, (_all, file: string) => {
      const reference = this.emitFile({ type: "chunk", id: path.resolve(path.dirname(id), file) });
      return `new Worker(new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
    });
    const relative = path.relative(dist, id).replaceAll(path.sep, "/");
    const url = `new URL(${JSON.stringify(relative)}, import.meta.url)`;
    const folder = `process.getBuiltinModule("node:url").fileURLToPath(new URL(".", ${url}))`;
    return { code: threads.replaceAll("import.meta.url", `${url}.href`).replaceAll("import.meta.dirname", folder) };
  },
};

/** How long the parts of an older build stay for a program that still runs from it. */
const keptMs = 7 * 24 * 60 * 60_000;

/** Bundles the server into `packages/server/dist`: it then starts in half the time. */
export async function bundleServer(): Promise<void> {
  const bundle = await rolldown({
    input: path.join(server, "src", "main.ts"),
    cwd: server,
    platform: "node",
    external: outside,
    plugins: [places],
  });
  const { output } = await bundle.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const current = new Set<string>(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(dist).filter((one) => one.endsWith(".js") && !current.has(one)))
    if (Date.now() - statSync(path.join(dist, file)).mtimeMs > keptMs) rmSync(path.join(dist, file));
  writeSources();
}

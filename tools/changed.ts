import { execFileSync } from "node:child_process";

/** One run of vitest: a name for the output, and its arguments. */
export interface PlannedRun {
  readonly name: string;
  readonly args: readonly string[];
}

function git(root: string, ...args: string[]): string[] {
  const out = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  return out.split("\n").filter((line) => line !== "");
}

/** Files that differ from a commit, with those that are not committed yet. Without `base`: since the main branch was left. */
export function changedFiles(root: string, base?: string): string[] {
  const since = base ?? git(root, "merge-base", "main", "HEAD")[0] ?? "HEAD";
  const files = [
    ...git(root, "diff", "--name-only", "--no-renames", since),
    ...git(root, "ls-files", "--others", "--exclude-standard"),
  ];
  return [...new Set(files)].toSorted();
}

/** A change here can affect every test: what installs, builds, runs and configures them. */
const everywhere =
  /^(?:\.npmrc|package(?:-lock)?\.json|start\.cjs|vitest\.config\.ts|tsconfig.*\.json|packages\/[^/]+\/(?:package|tsconfig)\.json|tools\/(?:test|build|built\.setup|bundle|parts|lock|launch|changed)\.ts|\.ci\/)/;
const unitTest = /\.test\.tsx?$/;
const e2eFile = /^packages\/e2e\/src\/([^/]+)\//;
/** What the browser and SDK tests run: the program, its pages, the SDK, and what starts them. */
const program =
  /^(?:packages\/(?:server|web|sync-sdk|testkit)\/|config\.example\.yaml|compose\.yaml|Dockerfile|deploy\/|icons\/)/;
/** Threads, child processes and migrations: loaded by path, which no import shows. A feature's `x.worker.ts` is none. */
const byPath = /^packages\/server\/src\/infra\/.*(?:^|[./])(?:worker|child|fixture)\.ts$|\/migrations\//;
/** What unit and database tests may read as files. */
const ofWeb = /^packages\/web\//;
const ofServer = /^(?:packages\/(?:server|testkit|sync-sdk)\/|icons\/|config\.example\.yaml)/;
/** Tests that read the repository by the names of its files, which no import shows: they always run. */
export const readers = {
  unit: [
    "packages/server/src/app/texts.test.ts",
    "packages/server/src/cli/cli.test.ts",
    "packages/server/src/cli/import/import.test.ts",
    "packages/server/src/config/schema/schema.test.ts",
    "packages/sync-sdk/src/client.test.ts",
    "packages/sync-sdk/src/published.test.ts",
    "packages/sync-sdk/src/queue.test.ts",
    "packages/sync-sdk/src/requests.kill.test.ts",
    "packages/web/src/begin.test.ts",
    "packages/web/src/features.test.ts",
    "packages/web/src/texts.test.ts",
    "packages/web/src/tooling.test.ts",
  ],
  db: ["packages/server/src/app/parallel.db.test.ts", "packages/server/src/infra/db/drift.db.test.ts"],
} as const;

const whole = (project: string): PlannedRun => ({ name: project, args: ["run", "--project", project] });

/** All of `npm test`. */
export const everything: readonly PlannedRun[] = [whole("unit"), whole("db"), whole("e2e")];

/** Tests that import one of these files, directly or through others. */
const related = (project: string, files: readonly string[]): PlannedRun => ({
  name: `${project}, by imports`,
  args: ["related", "--run", "--passWithNoTests", "--project", project, ...files],
});

/**
 * The tests that these files can affect. Imports decide for unit and database tests; those that read the
 * repository as files always run. An end-to-end test drives the whole program, so a change of the program
 * affects all of them, and a change of a test only its folder.
 */
export function plan(files: readonly string[]): readonly PlannedRun[] {
  if (files.length === 0) return [];
  if (files.some((file) => everywhere.test(file))) return everything;
  const source = files.filter((file) => program.test(file));
  const code = source.filter((file) => /\.tsx?$/.test(file) && !byPath.test(file));
  // Texts and pictures are read as files, which no import shows either.
  const asFile = source.filter((file) => !code.includes(file));
  const tools = { name: "unit, of tools", args: ["run", "--project", "unit", "tools", ...readers.unit] };
  const unit = asFile.some((file) => ofWeb.test(file) || ofServer.test(file))
    ? [whole("unit")]
    : [tools, ...(code.length === 0 ? [] : [related("unit", code)])];
  return [...unit, ...ofDatabases(code, asFile), ...endToEnd(files, source)];
}

function ofDatabases(code: readonly string[], asFile: readonly string[]): PlannedRun[] {
  if (asFile.some((file) => ofServer.test(file))) return [whole("db")];
  if (code.length === 0) return [];
  return [related("db", code), { name: "db, of the repository", args: ["run", "--project", "db", ...readers.db] }];
}

function endToEnd(files: readonly string[], source: readonly string[]): PlannedRun[] {
  if (source.some((file) => !unitTest.test(file))) return [whole("e2e")];
  const own = files.filter((file) => file.startsWith("packages/e2e/"));
  if (own.length === 0) return [];
  const folders = new Set(own.map((file) => e2eFile.exec(file)?.[1]));
  if (folders.has(undefined)) return [whole("e2e")];
  const paths = [...folders].map((folder) => `packages/e2e/src/${folder}/`);
  return [{ name: `e2e, ${[...folders].join(", ")}`, args: ["run", "--project", "e2e", "--passWithNoTests", ...paths] }];
}

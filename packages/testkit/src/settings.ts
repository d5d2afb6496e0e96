import { writeFileSync } from "node:fs";
import path from "node:path";
import { makeInstance, type Instance, type Program, run, runProgram, secrets, serve } from "./program.ts";

/** Options by dotted path, as in the configuration; undefined removes one from the usual configuration. */
export type Settings = Readonly<Record<string, unknown>>;

interface Ports {
  readonly port: number;
  readonly adminPort: number;
  readonly folder: string;
}

interface Tree {
  [key: string]: unknown;
}

function put(tree: Tree, dotted: string, value: unknown): void {
  const keys = dotted.split(".");
  const last = keys.pop()!;
  let at = tree;
  for (const key of keys) at = (at[key] ??= {}) as Tree;
  if (value === undefined) delete at[last];
  else at[last] = value;
}

/** A working configuration, with SQLite and the embedded broker, and these settings. JSON is YAML. */
function written({ port, adminPort, folder }: Ports, settings: Settings): string {
  const usual: Settings = {
    "jwt.secret": secrets.jwt,
    "http.listen": `127.0.0.1:${port}`,
    "http.adminListen": `127.0.0.1:${adminPort}`,
    "http.publicURL": `http://localhost:${port}`,
    "http.origins": [`http://localhost:${port}`],
    "http.trustedProxies": [],
    "http.sessions.cookieSecret": secrets.cookie,
    "http.sessions.domain": "localhost",
    "database.dsn": "sqlite:./data/rollcall.db?loc=Europe%2FBerlin",
    "nats.url": "embedded:",
    "storage.filesystem.path": path.join(folder, "data", "files"),
    "auth.configAdminGroups": ["admin"],
    "sync.enabled": true,
    "sync.apiTokens": [secrets.sync],
    "chat.enabled": false,
  };
  const tree: Tree = {};
  for (const [dotted, value] of Object.entries({ ...usual, ...settings })) put(tree, dotted, value);
  return JSON.stringify(tree, null, 2);
}

/** An instance whose configuration can be replaced, based on the same usual one. */
export interface ConfiguredInstance extends Instance {
  set(settings: Settings): void;
}

/** What a test has started or created; removed in reverse order at its end. */
export interface Scope {
  defer(end: () => unknown): void;
  instance(settings?: Settings): Promise<ConfiguredInstance>;
  /** Starts `rollcall serve` and waits for the line that says it serves. */
  serve(instance: Instance): Promise<Program>;
  /** Starts `rollcall serve` without waiting. */
  launch(instance: Pick<Instance, "folder">): Program;
  run(args: readonly string[], instance: Instance): ReturnType<typeof run>;
  end(): Promise<void>;
}

export function createScope(): Scope {
  const ends: (() => unknown)[] = [];
  return {
    defer: (end) => void ends.push(end),
    async instance(settings = {}) {
      const instance = await makeInstance({ config: (ports) => written(ports, settings) });
      ends.push(() => instance.remove());
      return { ...instance, set: (other) => writeFileSync(path.join(instance.folder, "config.yaml"), written(instance, other)) };
    },
    async serve(instance) {
      const program = await serve(instance);
      ends.push(() => program.stop());
      return program;
    },
    launch(instance) {
      const program = runProgram(["serve"], { cwd: instance.folder });
      ends.push(() => program.stop());
      return program;
    },
    run,
    async end() {
      for (const end of ends.splice(0).toReversed()) await end();
    },
  };
}

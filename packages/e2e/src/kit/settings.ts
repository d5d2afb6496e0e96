import { writeFileSync } from "node:fs";
import path from "node:path";
import { makePlace, type Place, type Program, run, runProgram, secrets, serve } from "./program.ts";

/** Options by dotted path, in the document's own form; undefined takes an option of the usual configuration away. */
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

/** A working configuration, SQLite and the embedded broker, with these settings over it. JSON is YAML. */
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

/** A place whose configuration can be written anew, from the same usual one. */
export interface SetPlace extends Place {
  set(settings: Settings): void;
}

/** What a test started or made, ended in reverse order at its end. */
export interface Scope {
  defer(end: () => unknown): void;
  place(settings?: Settings): Promise<SetPlace>;
  /** Starts `rollcall serve` and waits for the line that says it serves. */
  serve(place: Place): Promise<Program>;
  /** Starts `rollcall serve` without waiting. */
  launch(place: Pick<Place, "folder">): Program;
  run(args: readonly string[], place: Place): ReturnType<typeof run>;
  end(): Promise<void>;
}

export function createScope(): Scope {
  const ends: (() => unknown)[] = [];
  return {
    defer: (end) => void ends.push(end),
    async place(settings = {}) {
      const place = await makePlace({ config: (ports) => written(ports, settings) });
      ends.push(() => place.remove());
      return { ...place, set: (other) => writeFileSync(path.join(place.folder, "config.yaml"), written(place, other)) };
    },
    async serve(place) {
      const program = await serve(place);
      ends.push(() => program.stop());
      return program;
    },
    launch(place) {
      const program = runProgram(["serve"], { cwd: place.folder });
      ends.push(() => program.stop());
      return program;
    },
    run,
    async end() {
      for (const end of ends.splice(0).toReversed()) await end();
    },
  };
}

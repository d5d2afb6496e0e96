import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { endWithTests } from "./children.ts";
import { freePort } from "./ports.ts";

/** The built program, or the one of a release that is tried before it is published. */
const main = process.env["ROLLCALL_TEST_PROGRAM"] ?? path.resolve(import.meta.dirname, "../../server/dist/main.js");

export const secrets = {
  cookie: "cookie-secret-for-e2e-tests-1",
  jwt: "jwt-secret-for-e2e-tests-22222",
  sync: "sync-token-for-e2e-tests-33333",
} as const;

/** A folder with a working configuration; every option can be overridden by the environment. */
export interface Instance {
  readonly folder: string;
  readonly port: number;
  readonly adminPort: number;
  readonly url: string;
  readonly adminUrl: string;
  /** Writes the configuration again, with these lines added at the end. */
  configure(text: string): void;
  /** Replaces the whole configuration. */
  write(text: string): void;
  remove(): void;
}

export interface InstanceOptions {
  /** SQLite and the embedded broker unless given. */
  readonly dsn?: string;
  readonly nats?: string;
  /** The whole configuration instead of the usual one. */
  readonly config?: (ports: { port: number; adminPort: number; folder: string }) => string;
}

export function usualConfig(
  { port, adminPort, folder }: { port: number; adminPort: number; folder: string },
  options: InstanceOptions = {},
): string {
  return `mode: release
logLevel: INFO
jwt: { secret: "${secrets.jwt}" }
http:
  listen: "127.0.0.1:${port}"
  adminListen: "127.0.0.1:${adminPort}"
  publicURL: http://localhost:${port}
  origins: ["http://localhost:${port}"]
  trustedProxies: []
  sessions: { cookieSecret: "${secrets.cookie}", domain: localhost }
database: { dsn: "${options.dsn ?? "sqlite:./data/rollcall.db?loc=Europe%2FBerlin"}" }
nats: { url: "${options.nats ?? "embedded:"}" }
storage: { filesystem: { path: ${path.join(folder, "data", "files")} } }
auth: { configAdminGroups: [admin] }
sync: { enabled: true, apiTokens: ["${secrets.sync}"] }
chat: { enabled: false }
`;
}

export async function makeInstance(options: InstanceOptions = {}): Promise<Instance> {
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-e2e-"));
  mkdirSync(path.join(folder, "data", "files"), { recursive: true });
  const [port, adminPort] = [await freePort(), await freePort()];
  const file = path.join(folder, "config.yaml");
  const text = options.config?.({ port, adminPort, folder }) ?? usualConfig({ port, adminPort, folder }, options);
  writeFileSync(file, text);
  return {
    folder,
    port,
    adminPort,
    url: `http://localhost:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    configure: (more) => writeFileSync(file, text + more),
    write: (whole) => writeFileSync(file, whole),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** One run of the program as a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Both streams in the order of their output. */
  output(): string;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Resolves when the output matches; rejects when the program ends before. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Stops it with SIGTERM and waits; kills it after ten seconds. */
  stop(): Promise<number | null>;
}

export function runProgram(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
    readonly uid?: number;
    readonly gid?: number;
    /** A command that runs the program in the same process, as `strace -D` does. */
    readonly wrap?: readonly string[];
  },
): Program {
  const { PATH = "", HOME = "" } = process.env;
  const { cwd, uid, gid } = options;
  const [command, ...before] = [...(options.wrap ?? []), process.execPath];
  const child = endWithTests(
    spawn(command, [...before, main, ...args], {
      cwd,
      env: { PATH, HOME, ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    }),
  );
  let out = "";
  let err = "";
  let both = "";
  const waiting = new Set<() => void>();
  const onOutput = (text: string) => {
    both += text;
    for (const check of waiting) check();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    onOutput(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    onOutput(text);
  });
  child.stdin.end(options.input ?? "");
  const exited = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));

  async function seen(pattern: RegExp): Promise<RegExpExecArray> {
    return await new Promise((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(both);
        if (!found) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      void exited.then((code) => reject(new Error(`the program ended with ${code} before ${String(pattern)}:\n${both}`)));
    });
  }

  return {
    child,
    stdout: () => out,
    stderr: () => err,
    output: () => both,
    exited,
    seen,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}

/** Starts `rollcall serve` in the instance's folder and waits until it serves. */
export async function serve(
  instance: Instance,
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly wrap?: readonly string[];
  } = {},
): Promise<Program> {
  const { args = [], env, wrap } = options;
  const program = runProgram(["serve", ...args], {
    cwd: instance.folder,
    ...(env ? { env } : {}),
    ...(wrap ? { wrap } : {}),
  });
  await program.seen(/Rollcall [\d.]+ serves/);
  return program;
}

/** Runs a command to its end. */
export async function run(
  args: readonly string[],
  instance: Pick<Instance, "folder">,
  options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = runProgram(args, { cwd: instance.folder, ...options });
  const code = await program.exited;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

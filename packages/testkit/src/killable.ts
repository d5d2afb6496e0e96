import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { endWithTests } from "./children.ts";
import { freePort } from "./ports.ts";
import { filesBelow, storeKeys } from "./uploads.ts";

/** A server for one test that may be frozen, killed and restarted. */
export interface Killable {
  readonly name: string;
  readonly url: string;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal and waits until the server has ended. */
  end(name: NodeJS.Signals): Promise<void>;
  /** Removes its data; only after its end. */
  forget(): void;
  remove(): Promise<void>;
}

interface Launch {
  readonly name: string;
  readonly url: string;
  readonly folder: string;
  readonly data: string;
  readonly command: readonly [string, readonly string[]];
  readonly ready: RegExp;
}

function killable({ name, url, folder, data, command, ready }: Launch): Killable {
  let child: ChildProcess | null = null;
  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exit = once(running, "exit");
    running.kill(signal);
    await exit;
  }
  return {
    name,
    url,
    end,
    signal: (signal) => void child?.kill(signal),
    forget: () => rmSync(data, { recursive: true, force: true }),
    async start() {
      const [program, args] = command;
      const started = endWithTests(spawn(program, [...args], { stdio: ["ignore", "ignore", "pipe"] }));
      child = started;
      let output = "";
      await new Promise<void>((resolve, reject) => {
        started.once("error", reject);
        started.once("exit", () => reject(new Error(`${name} did not start: ${output}`)));
        started.stderr?.on("data", (text: Buffer) => {
          output = `${output}${String(text)}`.slice(-20_000);
          if (ready.test(output)) resolve();
        });
      });
    },
    async remove() {
      child?.kill("SIGCONT");
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function killableNats(): Promise<Killable> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-killable-nats-"));
  const data = path.join(folder, "js");
  const args = ["-js", "-a", "127.0.0.1", "-p", String(port), "-sd", data];
  return killable({
    name: "nats-server",
    url: `nats://127.0.0.1:${port}`,
    folder,
    data,
    command: ["nats-server", args],
    ready: /Server is ready/,
  });
}

/** A MariaDB, durable as in production: a commit is on the disk before it is answered. `url` is its DSN. */
export async function killableMariadb(): Promise<Killable> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-killable-mariadb-"));
  const data = path.join(folder, "data");
  mkdirSync(path.join(data, "rollcall"), { recursive: true });
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const installed = spawnSync(
    "mariadb-install-db",
    ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db", ...user],
    { encoding: "utf8" },
  );
  if (installed.status !== 0) throw new Error(`mariadb-install-db: ${installed.stderr}${installed.stdout}`);
  const args = [
    "--no-defaults",
    ...user,
    `--datadir=${data}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${path.join(folder, "s")}`,
    `--pid-file=${path.join(folder, "pid")}`,
    "--skip-name-resolve",
    "--innodb-buffer-pool-size=64M",
    "--innodb-flush-log-at-trx-commit=1",
  ];
  const url = `root:@tcp(127.0.0.1:${port})/rollcall?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin`;
  return killable({ name: "mariadbd", url, folder, data, command: ["mariadbd", args], ready: /ready for connections/ });
}

export interface KillableStore extends Killable {
  /** Keys of the stored objects, also while it does not run. */
  objects(): string[];
  /** The remains of multipart uploads that were not completed. */
  parts(): string[];
  fileOf(key: string): string;
}

/**
 * An object store; `url` is its endpoint. `end("SIGHUP")` ends it during the next upload,
 * `end("SIGUSR2")` when that is stored and not yet answered.
 */
export async function killableStore(): Promise<KillableStore> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-killable-store-"));
  const data = path.join(folder, "data");
  const bucket = path.join(data, storeKeys.bucketName);
  const suffix = "._S3rver_object";
  mkdirSync(data);
  const server = killable({
    name: "object store",
    url: `http://127.0.0.1:${port}`,
    folder,
    data,
    command: [process.execPath, [path.join(import.meta.dirname, "object-store.fixture.ts"), String(port), data]],
    ready: /the object store serves/,
  });
  return {
    ...server,
    objects: () =>
      filesBelow(bucket)
        .filter((file) => file.endsWith(suffix))
        .map((file) => file.slice(0, -suffix.length)),
    parts: () => filesBelow(bucket).filter((file) => file.includes("._S3rver_uploads")),
    fileOf: (key) => path.join(bucket, `${key}${suffix}`),
  };
}

/** Rows of a statement on a `killableMariadb`, fields separated by tabs. */
export function queryMariadb(server: Killable, sql: string): string[] {
  const port = /:(\d+)\)/.exec(server.url)?.[1] ?? "";
  const { status, stdout, stderr } = spawnSync(
    "mariadb",
    ["-h", "127.0.0.1", "-P", port, "-u", "root", "-N", "-B", "-e", `use rollcall; ${sql}`],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.split("\n").filter((line) => line !== "");
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { endWithTests } from "./children.ts";
import { freePort } from "./ports.ts";

const required = process.env["ROLLCALL_TEST_REQUIRE"] === "all";

function there(name: string, found: boolean): boolean {
  if (found) return true;
  if (required) throw new Error(`${name} is missing, and ROLLCALL_TEST_REQUIRE=all requires it`);
  process.stderr.write(`${name} is missing, its tests are skipped\n`);
  return false;
}

function mariadb(sql: string): { ok: boolean; out: string } {
  const { status, stdout, stderr } = spawnSync("mariadb", ["-h", "127.0.0.1", "-u", "root", "-N", "-B", "-e", sql], {
    encoding: "utf8",
  });
  return { ok: status === 0, out: status === 0 ? stdout : stderr };
}

export const hasMariadb = there("MariaDB on 127.0.0.1:3306", mariadb("select 1").ok);
export const hasNats = there(
  "nats-server",
  existsSync("/usr/sbin/nats-server") || spawnSync("nats-server", ["--version"]).status === 0,
);

/** A database and user of its own, whose password contains characters that need escaping in a DSN. */
export interface OwnDatabase {
  readonly dsn: string;
  readonly name: string;
  /** Rows of a statement, fields separated by tabs. */
  query(sql: string): string[];
  drop(): void;
}

let databases = 0;

export function makeDatabase(options: { readonly zone?: string; readonly collation?: string } = {}): OwnDatabase {
  databases += 1;
  const name = `rollcall_e2e_${process.pid}_${databases}`;
  const password = "p@ss:w/o?rd";
  const collation = options.collation ?? "utf8mb4_unicode_ci";
  const made = mariadb(
    `create database ${name} character set utf8mb4 collate ${collation}; create or replace user '${name}'@'127.0.0.1' identified by '${password}', '${name}'@'localhost' identified by '${password}'; grant all on ${name}.* to '${name}'@'127.0.0.1', '${name}'@'localhost';`,
  );
  if (!made.ok) throw new Error(made.out);
  const loc = encodeURIComponent(options.zone ?? "Europe/Berlin");
  return {
    name,
    dsn: `${name}:${password}@tcp(127.0.0.1:3306)/${name}?collation=${collation}&parseTime=True&loc=${loc}`,
    query(sql) {
      const { ok, out } = mariadb(`use ${name}; ${sql}`);
      if (!ok) throw new Error(out);
      return out.split("\n").filter((line) => line !== "");
    },
    drop: () => void mariadb(`drop database if exists ${name}; drop user if exists '${name}'@'127.0.0.1', '${name}'@'localhost'`),
  };
}

/** Locks a table, so that a run that needs it does not end. Resolves once it is locked. */
export async function lockTable({ name }: OwnDatabase, table: string): Promise<() => void> {
  const holder = endWithTests(
    spawn("mariadb", ["-h", "127.0.0.1", "-u", "root", "-N", "-B", "-n", name], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  holder.stdin.write(`lock tables ${table} write; select 'locked';\n`);
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  return () => void holder.kill();
}

/** A NATS server of its own, with JetStream, a user and a password. */
export interface OwnNats {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Stops it and keeps its data. */
  kill(name?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.once("connect", () => (socket.destroy(), resolve(true)));
      socket.once("error", () => (socket.destroy(), resolve(false)));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing answers on port ${port}`);
}

export async function makeNats(): Promise<OwnNats> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-nats-"));
  const file = path.join(folder, "nats.conf");
  const [user, password] = ["rollcall", "s3cr%t:wörd"];
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}/js" }\nauthorization { users = [ { user: "${user}", password: "${password}" } ] }\n`,
  );
  let child: ChildProcess | null = null;
  let ended: Promise<void> = Promise.resolve();

  async function start(): Promise<void> {
    const started = endWithTests(
      spawn("nats-server", ["-c", file], {
        stdio: "ignore",
        env: { PATH: `/usr/sbin:${process.env["PATH"] ?? ""}` },
      }),
    );
    child = started;
    ended = new Promise((resolve) => started.once("exit", () => resolve()));
    await listening(port);
  }

  async function kill(name: NodeJS.Signals = "SIGKILL"): Promise<void> {
    child?.kill(name);
    await ended;
  }

  await start();
  return {
    port,
    url: `nats://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    start,
    kill,
    signal: (name) => void child?.kill(name),
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Connection, RowDataPacket } from "mysql2/promise";
import { adminConnection, canReach, testServer, type TestServer } from "../../server/src/testkit/mariadb.ts";
import { endWithTests } from "./children.ts";
import { freePort } from "./ports.ts";
import { until } from "./until.ts";

const required = process.env["ROLLCALL_TEST_REQUIRE"] === "all";

function available(has: boolean, note: string): boolean {
  if (has) return true;
  if (required) throw new Error(`${note}, and ROLLCALL_TEST_REQUIRE=all requires it`);
  process.stderr.write(`${note}\n`);
  return false;
}

const answers = (program: string) => spawnSync(program, ["--version"]).status === 0;

/** Whether the tests can start servers. */
export const hasNatsServer = (): boolean =>
  available(answers("nats-server"), "nats-server is not installed, its tests are skipped");
export const hasMariadbServer = (): boolean => available(answers("mariadbd"), "mariadbd is not installed, its tests are skipped");
export const hasMariadb = async (): Promise<boolean> =>
  available(await canReach(testServer()), "MariaDB cannot be reached, its tests are skipped");

/** A server process that can be killed and restarted on the same port with the same data. */
export interface OwnServer {
  readonly port: number;
  start(): Promise<void>;
  /** Kills it, as in a crash. */
  kill(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

function ownServer(port: number, folder: string, launch: () => ChildProcess, ready: RegExp): OwnServer {
  let child: ChildProcess | null = null;
  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exit = once(running, "exit");
    running.kill("SIGKILL");
    await exit;
  }
  return {
    port,
    kill,
    async start() {
      const started = launch();
      child = started;
      let output = "";
      // Keep reading: a closed pipe would end the server with its next line.
      await new Promise<void>((resolve, reject) => {
        started.once("exit", () => reject(new Error(`the server did not start: ${output}`)));
        started.stderr?.on("data", (chunk: Buffer) => {
          output += String(chunk);
          if (ready.test(output)) resolve();
        });
      });
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface OwnNats extends OwnServer {
  /** The server's own monitoring page, for example `/jsz?streams=1&config=1`. */
  monitor<T>(page: string): Promise<T>;
}

/** A NATS server with JetStream, not yet started; `extra` are further arguments, for example of a cluster. */
export async function ownNats(extra: readonly string[] = [], options: { readonly jetstream?: boolean } = {}): Promise<OwnNats> {
  const [port, monitorPort] = [await freePort(), await freePort()];
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-e2e-nats-"));
  const args = [
    ...(options.jetstream === false ? [] : ["-js"]),
    "-a",
    "127.0.0.1",
    "-p",
    String(port),
    "-m",
    String(monitorPort),
    "-sd",
    folder,
    ...extra,
  ];
  const launch = () => endWithTests(spawn("nats-server", args, { stdio: ["ignore", "ignore", "pipe"] }));
  return {
    ...ownServer(port, folder, launch, /Server is ready/),
    async monitor<T>(page: string) {
      return (await (await fetch(`http://127.0.0.1:${monitorPort}${page}`)).json()) as T;
    },
  };
}

/** Three NATS servers that form one JetStream cluster, with a leader. */
export async function natsCluster(): Promise<{
  readonly url: string;
  readonly nodes: readonly OwnNats[];
  remove(): Promise<void>;
}> {
  const routes = [await freePort(), await freePort(), await freePort()];
  const all = routes.map((port) => `nats-route://127.0.0.1:${port}`).join(",");
  const nodes = await Promise.all(
    routes.map(
      async (port, i) =>
        await ownNats([
          "--name",
          `n${i}`,
          "--cluster_name",
          "rollcall-e2e",
          "--cluster",
          `nats://127.0.0.1:${port}`,
          "--routes",
          all,
        ]),
    ),
  );
  await Promise.all(nodes.map(async (node) => await node.start()));
  await until("the cluster has a leader", async () => {
    const pages = await Promise.all(
      nodes.map(async (node) => await node.monitor<{ meta_cluster?: { leader?: string; cluster_size?: number } }>("/jsz")),
    );
    return pages.every(({ meta_cluster: meta }) => meta?.leader !== undefined && meta.leader !== "" && meta.cluster_size === 3);
  });
  return {
    nodes,
    url: nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(","),
    remove: async () => void (await Promise.all(nodes.map(async (node) => await node.remove()))),
  };
}

/** A MariaDB server of its own with one empty database and root without a password; not yet started. */
export async function ownMariadb(): Promise<OwnServer & { readonly dsn: string }> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-e2e-mariadb-"));
  const data = path.join(folder, "data");
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const installed = spawnSync(
    "mariadb-install-db",
    ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db", ...user],
    { encoding: "utf8" },
  );
  if (installed.status !== 0) throw new Error(`mariadb-install-db: ${installed.stderr}${installed.stdout}`);
  mkdirSync(path.join(data, "rollcall"));
  const args = [
    "--no-defaults",
    ...user,
    `--datadir=${data}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${path.join(folder, "s")}`,
    `--pid-file=${path.join(folder, "pid")}`,
    "--skip-name-resolve",
    "--innodb-buffer-pool-size=32M",
  ];
  const launch = () => endWithTests(spawn("mariadbd", args, { stdio: ["ignore", "ignore", "pipe"] }));
  return {
    ...ownServer(port, folder, launch, /ready for connections/),
    dsn: `root:@tcp(127.0.0.1:${port})/rollcall?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin`,
  };
}

/** A database for one test on the MariaDB of the tests, with a connection besides the program's. */
export interface OwnDatabase {
  readonly name: string;
  /** The DSN as in the configuration; another port when the program connects through a proxy. */
  dsn(options?: { readonly port?: number; readonly user?: string }): string;
  readonly server: TestServer;
  readonly admin: Connection;
  rows(statement: string, values?: readonly unknown[]): Promise<RowDataPacket[]>;
  /** Ids of the program's open connections. */
  connections(): Promise<number[]>;
  drop(): Promise<void>;
}

let counter = 0;

export async function ownDatabase(): Promise<OwnDatabase> {
  const server = testServer();
  const name = `rollcall_options_${process.pid}_${++counter}`;
  const admin = await adminConnection(server);
  await admin.query(`create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`);
  async function rows(statement: string, values: readonly unknown[] = []): Promise<RowDataPacket[]> {
    return (await admin.query<RowDataPacket[]>(statement, [...values]))[0];
  }
  return {
    name,
    server,
    admin,
    rows,
    dsn: ({ port = server.port, user = server.user } = {}) =>
      `${user}:${server.password}@tcp(${server.host}:${port})/${name}?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin`,
    async connections() {
      const found = await rows("select id from information_schema.processlist where db = ?", [name]);
      return found.map((row) => Number(row["id"] ?? row["ID"]));
    },
    async drop() {
      await admin.query(`drop database if exists ${name}`);
      await admin.end();
    },
  };
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { Broker, Log } from "#core/ports/index.ts";
import { freePort } from "#testkit/ports.ts";
import { systemClock } from "../clock.ts";
import { EmbeddedBroker } from "./embedded/broker.ts";
import { Namespace } from "./namespace.ts";
import { NatsBroker } from "./nats.ts";
import type { BrokerTuning } from "./options.ts";

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

export const quick: Partial<BrokerTuning> = {
  requestTimeoutMs: 2000,
  reconnectMs: 50,
  ackWaitMs: 1000,
  redeliveryMs: { first: 10, max: 100 },
};

const natsAddress = { host: "127.0.0.1", port: 4222 };

/** Whether a NATS server for tests is reachable; prints a note when it is not. */
export async function natsReachable(): Promise<boolean> {
  const socket = dial(natsAddress);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    if (process.env["ROLLCALL_TEST_REQUIRE"] === "all") return true;
    console.info("skipped: broker tests on NATS; start nats-server -js on 127.0.0.1:4222 to run them");
    return false;
  } finally {
    socket.destroy();
  }
}

export function natsServerInstalled(): boolean {
  if (spawnSync("nats-server", ["--version"]).status === 0 || process.env["ROLLCALL_TEST_REQUIRE"] === "all") return true;
  console.info("skipped: broker outage tests; install nats-server to run them");
  return false;
}

/** One isolated broker, which can be closed and opened again with the same durable data. */
export interface Harness {
  open(): Promise<Broker>;
  /** Deletes the stream and creates it again, as after a lost disk. */
  recreate(broker: Broker, stream: string): Promise<void>;
  dispose(): Promise<void>;
}

let count = 0;

export function embeddedHarness(): Harness {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-broker-"));
  const opened: EmbeddedBroker[] = [];
  return {
    async open() {
      const url = { kind: "embedded", file: join(folder, "broker.db") } as const;
      const broker = await new EmbeddedBroker({
        url,
        replicas: 1,
        log: silent,
        clock: systemClock,
        tuning: quick,
      }).start();
      opened.push(broker);
      return broker;
    },
    recreate: (broker, stream) => (broker as EmbeddedBroker).recreateStream(stream),
    async dispose() {
      await Promise.all(opened.map((b) => b.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

export function natsHarness(server = `${natsAddress.host}:${natsAddress.port}`): Harness & { namespace: string } {
  const namespace = `rctest-${process.pid}-${Date.now().toString(36)}-${++count}`;
  const opened: NatsBroker[] = [];
  const manage = async <T>(work: (jsm: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>) => {
    const nc = await connect({ servers: server });
    try {
      return await work(await jetstreamManager(nc));
    } finally {
      await nc.close();
    }
  };
  return {
    namespace,
    async open() {
      const url = {
        kind: "nats",
        servers: [server],
        user: null,
        password: null,
        token: null,
        tls: false,
      } as const;
      const broker = await new NatsBroker({
        url,
        replicas: 1,
        namespace: new Namespace(namespace),
        log: silent,
        clock: systemClock,
        tuning: quick,
      }).start();
      opened.push(broker);
      return broker;
    },
    recreate: (_broker, stream) =>
      manage(async (jsm) => {
        const { config } = await jsm.streams.info(`${namespace}_${stream}`);
        await jsm.streams.delete(`${namespace}_${stream}`);
        await jsm.streams.add(config);
      }),
    async dispose() {
      await Promise.all(opened.map((b) => b.close()));
      await manage(async (jsm) => {
        for await (const name of jsm.streams.names()) {
          if (name.startsWith(`${namespace}_`) || name.startsWith(`KV_${namespace}_`)) await jsm.streams.delete(name);
        }
      });
    },
  };
}

/** The brokers that a suite runs on. */
export async function testedBrokers(): Promise<Array<{ readonly name: "embedded" | "nats"; harness(): Harness }>> {
  const nats = { name: "nats" as const, harness: () => natsHarness() };
  return [{ name: "embedded", harness: embeddedHarness }, ...((await natsReachable()) ? [nats] : [])];
}

/** A NATS server for one test, with its own port and storage. */
export class PrivateNats {
  readonly folder = mkdtempSync(join(tmpdir(), "rollcall-nats-"));
  readonly port: number;
  readonly #extra: readonly string[];
  #process: ChildProcess | null = null;

  private constructor(port: number, extra: readonly string[]) {
    this.port = port;
    this.#extra = extra;
  }

  static async start(extra: readonly string[] = ["-js"]): Promise<PrivateNats> {
    const server = new PrivateNats(await freePort(), extra);
    await server.run();
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    // A member of a cluster that cannot have its second port says that it is ready, and ends.
    const ready = this.#extra.includes("-c") ? "Listening for route connections" : "Server is ready";
    const child = spawn("nats-server", ["-a", "127.0.0.1", "-p", String(this.port), "-sd", this.folder, ...this.#extra], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process = child;
    let output = "";
    // Read to the end: a closed pipe would kill the server at its next line.
    await new Promise<void>((resolve, reject) => {
      child.on("exit", () => reject(new Error(`nats-server did not start: ${output}`)));
      child.stderr.on("data", (chunk) => {
        output += String(chunk);
        if (output.includes(ready)) resolve();
      });
    });
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  wipe(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.wipe();
  }
}

/** Collects items and lets a test wait for a number of them, or for a condition. */
export class Collector<T> {
  readonly items: T[] = [];
  readonly #waiting = new Set<() => void>();

  add = (item: T): void => {
    this.items.push(item);
    for (const check of [...this.#waiting]) check();
  };

  until(condition: (items: readonly T[]) => boolean): Promise<readonly T[]> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition(this.items)) return;
        this.#waiting.delete(check);
        resolve(this.items);
      };
      this.#waiting.add(check);
      check();
    });
  }

  count(n: number): Promise<readonly T[]> {
    return this.until((items) => items.length >= n);
  }
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (data: Uint8Array | null): string | null => (data === null ? null : new TextDecoder().decode(data));

/** Resolves when the broker is up or down, as requested. */
export function whenState(broker: Broker, up: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (broker.state().up === up) return resolve();
    const stop = broker.onStateChange((state) => {
      if (state.up !== up) return;
      stop();
      resolve();
    });
  });
}

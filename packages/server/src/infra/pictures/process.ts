import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BadPicture, type Clock } from "#core/ports/index.ts";
import type { PicturePool, PictureReply, PictureTask } from "./protocol.ts";

export interface PictureProcessesOptions {
  readonly pool: PicturePool;
  readonly clock: Clock;
  /** A task that takes longer is aborted, and its process killed. */
  readonly limitMs: number;
  /** An idle process ends after this long. */
  readonly idleMs: number;
}

type Answer = Exclude<PictureReply, { readonly ready: true } | { readonly fault: string } | { readonly problem: string }>;

/** Time limit for the start of a process, on a busy machine. */
const startMs = 20_000;
const program = fileURLToPath(new URL("./child.ts", import.meta.url));
/** Limits the JavaScript heap; pictures are stored outside of it. */
const flags = ["--max-old-space-size=64", "--disable-warning=ExperimentalWarning"];

interface Worker {
  readonly child: ChildProcess;
  ready: boolean;
  idle: { cancel(): void } | null;
  /** Receives the process's replies, and its end. */
  listener: { onReply(reply: PictureReply): void; onEnd(reason: string): void } | null;
}

/**
 * Child processes that handle pictures: started on demand, reused, ended when idle. Their number is that
 * of concurrent tasks, which the caller limits.
 */
export class PictureProcesses {
  readonly #options: PictureProcessesOptions;
  readonly #free: Worker[] = [];
  readonly #all = new Set<Worker>();

  constructor(options: PictureProcessesOptions) {
    this.#options = options;
  }

  /** Number of processes. */
  get size(): number {
    return this.#all.size;
  }

  /** Calls `begun` when a process has the task; it may have to be started first. Throws `BadPicture`. */
  async run(task: PictureTask, begun: () => void = () => undefined): Promise<Answer> {
    const worker = this.#free.pop() ?? this.#start();
    worker.idle?.cancel();
    worker.idle = null;
    // A running task keeps a command from exiting.
    worker.child.ref();
    worker.child.channel?.ref();
    let keep = false;
    try {
      const answer = await this.#request(worker, task, begun);
      keep = true;
      return answer;
    } catch (error) {
      keep = error instanceof BadPicture && worker.child.connected && !worker.child.killed;
      throw error;
    } finally {
      worker.listener = null;
      if (keep) this.#release(worker);
      else await this.#end(worker);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map(async (worker) => await this.#end(worker)));
  }

  #request(worker: Worker, task: PictureTask, begun: () => void): Promise<Answer> {
    const { clock, limitMs } = this.#options;
    return new Promise<Answer>((resolve, reject) => {
      let limit: { cancel(): void };
      const fail = (error: Error) => {
        limit.cancel();
        reject(error);
      };
      const late = (error: Error) => () => {
        worker.child.kill("SIGKILL");
        reject(error);
      };
      const begin = () => {
        begun();
        limit = clock.setTimeout(late(new BadPicture("tooLong")), limitMs);
        worker.child.send(task, (error) => error && fail(new BadPicture("unreadable", { cause: error })));
      };
      worker.listener = {
        onReply(reply) {
          limit.cancel();
          if ("ready" in reply) begin();
          else if ("fault" in reply) reject(new Error(`pictures cannot be made: ${reply.fault}`));
          else if (!("problem" in reply)) resolve(reply);
          else {
            if (reply.last) worker.child.kill("SIGKILL");
            reject(new BadPicture(reply.problem, { cause: new Error(reply.reason) }));
          }
        },
        // If the decoder crashes, the picture is to blame.
        onEnd: (reason) => fail(worker.ready ? new BadPicture("unreadable", { cause: new Error(reason) }) : new Error(reason)),
      };
      if (worker.ready) begin();
      else limit = clock.setTimeout(late(new Error(`pictures cannot be made: no process within ${startMs / 1000} s`)), startMs);
    });
  }

  #start(): Worker {
    // No environment variables, because they may contain secrets.
    const child = fork(program, [this.#options.pool], {
      env: {},
      execArgv: flags,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const worker: Worker = { child, ready: false, idle: null, listener: null };
    this.#all.add(worker);
    child.on("message", (reply: PictureReply) => {
      if ("ready" in reply) worker.ready = true;
      worker.listener?.onReply(reply);
    });
    const ended = (reason: string) => {
      this.#forget(worker);
      worker.listener?.onEnd(`pictures cannot be made: ${reason}`);
    };
    child.on("error", (error) => ended(error.message));
    child.on("exit", (code, signal) => ended(`the process ended with ${signal ?? `code ${code}`}`));
    return worker;
  }

  #release(worker: Worker): void {
    if (!this.#all.has(worker)) return;
    worker.child.unref();
    worker.child.channel?.unref();
    worker.idle = this.#options.clock.setTimeout(() => void this.#end(worker), this.#options.idleMs);
    this.#free.push(worker);
  }

  #forget(worker: Worker): void {
    worker.idle?.cancel();
    this.#all.delete(worker);
    const at = this.#free.indexOf(worker);
    if (at >= 0) this.#free.splice(at, 1);
  }

  /** Resolves after the process has exited, so that the limit of processes holds. */
  async #end(worker: Worker): Promise<void> {
    const { child } = worker;
    this.#forget(worker);
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await exited;
  }
}

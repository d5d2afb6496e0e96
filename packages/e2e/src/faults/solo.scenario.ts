import { expect } from "vitest";
import { createSyncClient } from "@rollcall/sync-sdk";
import { call, person, type Person, sendTo } from "@rollcall/testkit/api.ts";
import { residentMb } from "@rollcall/testkit/memory.ts";
import { jobs, licences, senderOptions, userOf } from "@rollcall/testkit/population.ts";
import { makeInstance, type Instance, type Program, secrets, serve } from "@rollcall/testkit/program.ts";
import { type FaultReport, report } from "@rollcall/testkit/report.ts";
import { type Query, queryOf } from "@rollcall/testkit/stored.ts";
import { until } from "@rollcall/testkit/until.ts";
import { compare, storedStatement, Writer } from "@rollcall/testkit/writer.ts";

export interface SoloOptions {
  /** Called before the program starts, for example to mount another disk for its data. */
  readonly prepare?: (instance: Instance) => Promise<void> | void;
  readonly env?: Readonly<Record<string, string>>;
  /** Prefix of the program's command line. */
  readonly wrap?: readonly string[];
}

const markers = 800_000;

/** One program on SQLite with the embedded broker, under writes and reads. */
export class Solo {
  readonly instance: Instance;
  readonly query: Query;
  readonly program: Program;
  readonly officer: Person;
  readonly #cleanUp: () => Promise<void> | void;
  readonly #writer: Writer;
  #markers = 0;

  static async start(
    options: SoloOptions = {},
    cleanUp: (instance: Instance) => Promise<void> | void = () => undefined,
  ): Promise<Solo> {
    const instance = await makeInstance();
    await options.prepare?.(instance);
    const { env, wrap } = options;
    const program = await serve(instance, { ...(env ? { env } : {}), ...(wrap ? { wrap } : {}) });
    const client = createSyncClient(senderOptions(instance.url, secrets.sync, undefined));
    await client.jobs(jobs);
    await client.licences(licences);
    await client.close();
    const officer = await person(instance, { username: "officer", groups: "admin" });
    return new Solo(instance, program, officer, () => cleanUp(instance));
  }

  private constructor(instance: Instance, program: Program, officer: Person, cleanUp: () => Promise<void> | void) {
    this.instance = instance;
    this.program = program;
    this.officer = officer;
    this.query = queryOf(instance, null);
    this.#cleanUp = cleanUp;
    this.#writer = new Writer(instance.url);
  }

  get acknowledged(): number {
    return this.#writer.acknowledged;
  }

  get stored(): number {
    return this.#writer.stored;
  }

  memory(): number {
    return residentMb(this.program.child.pid!);
  }

  /** One user sent straight to the server, without retries: its status and how long it took. */
  async write(): Promise<{ status: number; code: string | undefined; ms: number }> {
    const started = performance.now();
    const { status, body } = await sendTo(this.instance.url, "users", [userOf(markers + this.#markers++)]);
    return { status, code: body?.code as string | undefined, ms: performance.now() - started };
  }

  /** Milliseconds of a read by a signed-in person. */
  async read(): Promise<number> {
    const started = performance.now();
    const answer = await call(this.instance.url, "/api/settings", { cookie: this.officer.cookie });
    expect(answer.status, answer.text).toBe(200);
    return performance.now() - started;
  }

  /** Milliseconds until a write is stored again. */
  async backAfter(withinMs: number): Promise<number> {
    const started = performance.now();
    await until("a write is stored", async () => (await this.write().catch(() => null))?.status === 200, withinMs);
    return Math.round(performance.now() - started);
  }

  /** Waits until the writer has sent that many more users. */
  async goesOn(users: number, withinMs: number): Promise<void> {
    const wanted = this.#writer.stored + users / 20;
    await until(`${users} more users are stored`, () => this.#writer.stored >= wanted, withinMs);
  }

  /** Stops the writer, counts and reports: nothing acknowledged may be missing or duplicated. */
  async expectWhole(fault: Pick<FaultReport, "group" | "fault"> & Partial<FaultReport>): Promise<void> {
    await this.#writer.stop();
    const { acknowledged } = this.#writer;
    const counted = compare(acknowledged, this.query(storedStatement(acknowledged)));
    await until(
      "the outbox is empty",
      () => this.query("select count(*) as n from outbox_events where sent_at is null")[0] === "0",
      30_000,
    );
    const backing = "SQLite, embedded broker";
    report({ backing, acknowledged, of: "users", backMs: null, backWithinMs: null, ...counted, ...fault });
    expect(counted).toEqual({ lost: 0, doubled: 0 });
    expect(this.program.child.exitCode).toBeNull();
  }

  async stop(): Promise<void> {
    await this.program.stop();
    await this.#cleanUp();
    this.instance.remove();
  }
}

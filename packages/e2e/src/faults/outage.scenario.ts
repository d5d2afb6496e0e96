import { expect } from "vitest";
import { createSyncClient } from "@rollcall/sync-sdk";
import { call, person, type Person, userToken } from "@rollcall/testkit/api.ts";
import { Follower } from "@rollcall/testkit/follower.ts";
import { type Killable, killableMariadb, killableNats, queryMariadb } from "@rollcall/testkit/killable.ts";
import { residentMb } from "@rollcall/testkit/memory.ts";
import { jobs, licences, senderOptions, userOf } from "@rollcall/testkit/population.ts";
import { makeInstance, type Instance, type Program, run, secrets, serve } from "@rollcall/testkit/program.ts";
import { type FaultReport, report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { compare, storedStatement, Writer } from "@rollcall/testkit/writer.ts";
import { print } from "./ingest.scenario.ts";

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

export interface Outage {
  readonly name: string;
  readonly group: FaultReport["group"];
  begin(servers: Servers, cluster: Cluster): Promise<void> | void;
  readonly forMs: number;
  restore(servers: Servers, cluster: Cluster): Promise<void> | void;
  /** Whether the game's data is still stored meanwhile. */
  readonly serves: boolean;
  /** Full service must be back this soon after the server is. Milliseconds. */
  readonly backWithinMs: number;
}

export interface Servers {
  readonly nats: Killable;
  readonly mariadb: Killable;
}

/** Two web processes, one also the worker, on a broker and a database that fail. */
export class Cluster {
  readonly servers: Servers;
  readonly places: readonly Instance[];
  readonly #programs: Program[];
  readonly #survived: Pick<FaultReport, "group" | "fault" | "acknowledged" | "backMs" | "backWithinMs">[] = [];
  readonly #officer: Person;
  readonly #writer: Writer;
  readonly #followers: readonly Follower[];
  #markers = 0;

  static async start(): Promise<Cluster> {
    const servers = { nats: await killableNats(), mariadb: await killableMariadb() };
    try {
      return await Cluster.#on(servers);
    } catch (error) {
      await Promise.all([servers.nats.remove(), servers.mariadb.remove()]);
      throw error;
    }
  }

  static async #on(servers: Servers): Promise<Cluster> {
    await Promise.all([servers.nats.start(), servers.mariadb.start()]);
    const places = [
      await makeInstance({ dsn: servers.mariadb.url, nats: servers.nats.url }),
      await makeInstance({ dsn: servers.mariadb.url, nats: servers.nats.url }),
    ];
    const [a, b] = places as [Instance, Instance];
    const programs = [await serve(a), await serve(b, { args: ["--roles=web"] })];
    const client = createSyncClient(senderOptions(a.url, secrets.sync, undefined));
    await client.jobs(jobs);
    await client.licences(licences);
    await client.close();
    const officer = await person(a, { username: "officer" });
    const allowed = await run(
      ["role", "allow", "citizens.list", "--attributes", "fields=job,phone,licences", "--job", "police", "--grade", "0"],
      a,
    );
    expect(allowed.code, allowed.stderr).toBe(0);
    for (const { url } of places)
      await until(
        "the role applies",
        async () => (await call(url, "/api/citizens", { token: await userToken(url, officer) })).status === 200,
      );
    return new Cluster(servers, places, programs, officer);
  }

  private constructor(servers: Servers, places: readonly Instance[], programs: Program[], officer: Person) {
    this.servers = servers;
    this.places = places;
    this.#programs = programs;
    this.#officer = officer;
    this.#writer = new Writer(places[1]!.url);
    this.#followers = places.map(
      ({ url }) =>
        new Follower({
          url,
          token: async () => await userToken(url, this.#officer),
          read: () => this.#read(),
        }),
    );
  }

  #read() {
    return queryMariadb(this.servers.mariadb, "select id, version, first_name, last_name from citizens").map((line) => {
      const [id, version, firstName = "", lastName = ""] = line.split("\t");
      return { id: Number(id), version: Number(version), firstName, lastName };
    });
  }

  /** Ends a process as a crash would. The first is web and worker, the second web alone. */
  async kill(index: number): Promise<void> {
    this.#programs[index]!.signal("SIGKILL");
    await this.#programs[index]!.exited;
  }

  async restart(index: number): Promise<void> {
    this.#programs[index] = await serve(this.places[index]!, index === 0 ? {} : { args: ["--roles=web"] });
  }

  signal(index: number, name: NodeJS.Signals): void {
    this.#programs[index]!.signal(name);
  }

  memory(): number[] {
    return this.#programs.map(({ child }) => residentMb(child.pid!));
  }

  /** Milliseconds until a change sent now is stored, and until both pages show it. */
  async #throughput(): Promise<{ storedMs: number; shownMs: number }> {
    const started = performance.now();
    const user = userOf(800_000 + this.#markers++);
    const { url } = this.places[1]!;
    const client = createSyncClient({
      ...senderOptions(url, secrets.sync, undefined),
      timeoutMs: 3000,
      retry: { baseMs: 50, maxMs: 200, attempts: 400 },
    });
    await client.users([user]);
    await client.close();
    const storedMs = Math.round(performance.now() - started);
    for (const follower of this.#followers) await until(`${user.lastName} is shown`, () => follower.knows(user.lastName), 60_000);
    return { storedMs, shownMs: Math.round(performance.now() - started) };
  }

  async survive(outage: Outage): Promise<void> {
    await this.#throughput();
    const before = { stored: this.#writer.stored, queued: this.#writer.queued };
    const acknowledged = this.#writer.acknowledged;
    await outage.begin(this.servers, this);
    await pause(outage.forMs);
    const stored = this.#writer.stored - before.stored;
    const restoring = performance.now();
    await outage.restore(this.servers, this);
    // The restart of a Rollcall process counts as downtime; the start of a database or broker does not.
    const startMs = outage.group === "processes" ? Math.round(performance.now() - restoring) : 0;
    if (outage.serves) expect(stored, `${outage.name}: data must be stored meanwhile`).toBeGreaterThanOrEqual(1);
    const { storedMs, shownMs } = await this.#throughput();
    const memory = this.memory();
    print(
      `${outage.name} for ${outage.forMs / 1000} s: meanwhile ${stored} batches stored, ${this.#writer.queued - before.queued} queued; after it stored again in ${storedMs} ms, live again in ${shownMs} ms; memory ${memory.join(" and ")} MiB`,
    );
    expect(shownMs, outage.name).toBeLessThan(outage.backWithinMs);
    this.#survived.push({
      group: outage.group,
      fault: `${outage.name}${outage.forMs >= 1000 ? `, ${outage.forMs / 1000} s` : ""}`,
      acknowledged: this.#writer.acknowledged - acknowledged,
      backMs: startMs + shownMs,
      backWithinMs: outage.backWithinMs,
    });
    for (const program of this.#programs) expect(program.child.exitCode, "same process").toBeNull();
  }

  /** Everything acknowledged is stored once, and both pages show exactly what is stored. */
  async expectWhole(): Promise<void> {
    await this.#writer.stop();
    const { mariadb } = this.servers;
    const { acknowledged } = this.#writer;
    const counted = compare(acknowledged, queryMariadb(mariadb, storedStatement(acknowledged)));
    for (const row of this.#survived) report({ ...row, ...counted, of: "users", backing: "MariaDB, NATS, two processes" });
    expect(counted).toEqual({ lost: 0, doubled: 0 });
    await until(
      "the outbox is empty",
      () => queryMariadb(mariadb, "select count(*) from outbox_events where sent_at is null")[0] === "0",
      30_000,
    );
    await this.#throughput();
    const stored = queryMariadb(mariadb, "select id, version from citizens").toSorted();
    for (const follower of this.#followers) {
      await follower.settled();
      expect(follower.gaps).toEqual([]);
      await until("the page shows what is stored", () => follower.rows.length === stored.length);
      expect(follower.rows).toEqual(stored);
    }
    const modes = this.#followers.map(
      ({ modes: { live, resumed, snapshot }, closes }) =>
        `${live} live, ${resumed} resumed, ${snapshot} snapshot, closed ${closes.join(" ") || "never"}`,
    );
    print(
      `${this.#writer.acknowledged} users acknowledged (${this.#writer.queued} batches through the queue on disk): lost 0, doubled 0; gaps 0; pages: ${modes.join("; ")}`,
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#followers.map(async (follower) => await follower.stop()));
    await Promise.all(this.#programs.map(async (program) => await program.stop()));
    await this.servers.nats.remove();
    await this.servers.mariadb.remove();
    for (const instance of this.places) instance.remove();
  }
}

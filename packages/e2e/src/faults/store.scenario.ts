import { utimesSync } from "node:fs";
import { expect } from "vitest";
import { call, person, type Person, sendTo } from "@rollcall/testkit/api.ts";
import type { Killable, KillableStore } from "@rollcall/testkit/killable.ts";
import { residentMb } from "@rollcall/testkit/memory.ts";
import { userOf } from "@rollcall/testkit/population.ts";
import type { Instance, Program } from "@rollcall/testkit/program.ts";
import { type FaultReport, report } from "@rollcall/testkit/report.ts";
import type { Query } from "@rollcall/testkit/stored.ts";
import { until } from "@rollcall/testkit/until.ts";
import { sha256, type Tried, Uploader } from "@rollcall/testkit/uploader.ts";
import { print } from "./ingest.scenario.ts";

export interface StoreFault {
  readonly name: string;
  readonly group: FaultReport["group"];
  begin(store: Killable): Promise<void> | void;
  /** Milliseconds; `noticed`: until `/readyz` reports it, at most `noticedMs`. */
  readonly lasts: number | "noticed";
  restore(store: Killable): Promise<void> | void;
  readonly backWithinMs: number;
}

/** An unavailable storage is checked every minute, and the check has its own retries. */
const noticedMs = 75_000;
const besideMs = 2000;
const mostGainMb = 150;
const dayMs = 24 * 60 * 60_000;

interface Parts {
  readonly instance: Instance;
  readonly program: Program;
  readonly query: Query;
  readonly store: KillableStore;
  readonly backing: string;
}

/** One program with an object store, while files are uploaded and read. */
export class StoreRun {
  readonly #parts: Parts;
  readonly #admin: Person;
  readonly #uploaders: readonly Uploader[];
  readonly #memory: number;
  readonly #survived: Omit<FaultReport, "lost" | "doubled">[] = [];
  #beside = 700_000;
  #slowest = 0;

  static async start(parts: Parts): Promise<StoreRun> {
    const { instance } = parts;
    const admin = await person(instance, { username: "admin", groups: "admin" });
    const uploaders: Uploader[] = [];
    for (const username of ["mara", "tom"])
      uploaders.push(await Uploader.start(instance.url, await person(instance, { username, groups: "admin" })));
    await until("uploads go on", () => uploaders.every(({ taken }) => taken.length >= 10));
    return new StoreRun(parts, admin, uploaders);
  }

  private constructor(parts: Parts, admin: Person, uploaders: readonly Uploader[]) {
    this.#parts = parts;
    this.#admin = admin;
    this.#uploaders = uploaders;
    this.#memory = residentMb(parts.program.child.pid!);
  }

  #all(from = 0): Tried[] {
    return this.#uploaders.flatMap(({ tried }) => tried.filter(({ began }) => began >= from));
  }

  #taken(from = 0): Tried[] {
    return this.#all(from).filter(({ status }) => status === 200);
  }

  /** Requests without files work, and in time. */
  async #besides(): Promise<void> {
    const { url } = this.#parts.instance;
    for (const work of [
      async () => await call(url, "/api/settings", { cookie: this.#admin.cookie }),
      async () => await sendTo(url, "users", [userOf((this.#beside += 1))]),
    ]) {
      const began = performance.now();
      const { status, text } = await work();
      const ms = performance.now() - began;
      expect(status, text).toBe(200);
      expect(ms).toBeLessThan(besideMs);
      this.#slowest = Math.max(this.#slowest, ms);
    }
  }

  async #storageIs(wanted: string): Promise<boolean> {
    const { status, body } = await call(this.#parts.instance.adminUrl, "/readyz");
    expect(status, "it still serves").toBe(200);
    const { state } = body.parts.find(({ part }: { part: string }) => part === "storage");
    return state === wanted && (wanted === "ok" || body.state === "degraded");
  }

  async #last(lasts: StoreFault["lasts"], from: number): Promise<void> {
    const end = typeof lasts === "number" ? lasts : noticedMs;
    await until(
      "the fault has lasted",
      async () => {
        await this.#besides();
        return lasts === "noticed" ? await this.#storageIs("degraded") : performance.now() - from >= end;
      },
      end + 5000,
    );
  }

  async survive(fault: StoreFault): Promise<void> {
    const { store, program, backing } = this.#parts;
    const began = performance.now();
    await until("uploads go on", () => this.#taken(began).length >= 12);
    await fault.begin(store);
    const away = performance.now();
    await this.#last(fault.lasts, away);
    const meanwhile = this.#all(away).filter(({ status }) => status !== 200).length;
    await fault.restore(store);
    const restored = performance.now();
    await until("an upload is taken again", () => this.#taken(restored).length > 0, fault.backWithinMs);
    await until("/readyz says so", async () => await this.#storageIs("ok"), fault.backWithinMs);
    const backMs = Math.round(performance.now() - restored);
    expect(backMs, fault.name).toBeLessThan(fault.backWithinMs);
    const memory = residentMb(program.child.pid!);
    print(
      `${fault.name}, away for ${Math.round(restored - away)} ms: ${meanwhile} uploads refused, whole again in ${backMs} ms; memory ${memory} MiB`,
    );
    expect(memory - this.#memory).toBeLessThan(mostGainMb);
    expect(program.child.exitCode, "same process").toBeNull();
    const { name, group, backWithinMs } = fault;
    const acknowledged = this.#taken(began).length;
    this.#survived.push({ group, fault: name, backing, acknowledged, of: "uploads", backMs, backWithinMs });
  }

  /** Acknowledged files that cannot be read completely, and files that are stored more than once. */
  async #counted(): Promise<{ lost: number; doubled: number }> {
    const rows = this.#parts.query("select id, name, sha256, thumbnail_size from files").map((line) => line.split("\t"));
    let lost = 0;
    for (const uploader of this.#uploaders)
      for (const { id, name, url, thumbnail } of uploader.taken) {
        const row = rows.find((one) => one[0] === String(id));
        const [whole, small] = [await uploader.bytes(url), await uploader.bytes(thumbnail)];
        const same = whole.bytes !== null && sha256(whole.bytes) === row?.[2] && row[1] === name;
        if (!same || small.bytes?.length !== Number(row[3])) lost += 1;
      }
    return { lost, doubled: rows.length - new Set(rows.map(([, name]) => name)).size };
  }

  /** Everything acknowledged is stored once, and nothing refused is stored. */
  async expectWhole(): Promise<void> {
    await Promise.all(this.#uploaders.map(async (uploader) => await uploader.stop()));
    const { query } = this.#parts;
    const counted = await this.#counted();
    for (const row of this.#survived) report({ ...row, ...counted });
    expect(counted).toEqual({ lost: 0, doubled: 0 });
    const refused = this.#all().filter(({ status }) => status !== 200);
    for (const { status, code } of refused) expect([status, code]).toEqual([503, "system.unavailable"]);
    const rows = query("select name from files");
    expect(rows.toSorted()).toEqual(
      this.#taken()
        .map(({ name }) => name)
        .toSorted(),
    );
    for (const { reads, wrong } of this.#uploaders) {
      expect(wrong).toBe(0);
      expect([...reads.keys()].filter((status) => ![0, 200, 503].includes(status))).toEqual([]);
    }
    const left = await this.#expectNoStrangers();
    print(
      `${rows.length} uploads acknowledged, ${refused.length} refused: lost 0, doubled 0; slowest other work meanwhile ${Math.round(this.#slowest)} ms; ${left} objects of refused uploads swept away after a day`,
    );
  }

  /** Remains of refused uploads, which could not be removed during the fault, are removed after a day. */
  async #expectNoStrangers(): Promise<number> {
    const { query, store, instance } = this.#parts;
    const known = new Set(
      query("select object_key, thumbnail_size from files").flatMap((line) => {
        const [key = "", size] = line.split("\t");
        return size === "0" ? [key] : [key, `${key}-t`];
      }),
    );
    const objects = store.objects();
    expect([...known].filter((key) => !objects.includes(key))).toEqual([]);
    const orphans = objects.filter((key) => !known.has(key));
    const old = (Date.now() - dayMs - 60_000) / 1000;
    for (const key of objects) utimesSync(store.fileOf(key), old, old);
    const asked = await call(instance.url, "/api/scheduler/files.sweep/run", { method: "POST", cookie: this.#admin.cookie });
    expect(asked.status, asked.text).toBe(204);
    await until(
      "the sweep is done",
      () => query("select outcome from job_runs where job = 'files.sweep' and outcome = 'done'").length > 0,
    );
    const after = store.objects().filter((key) => !key.startsWith("probe/"));
    expect(after.toSorted()).toEqual([...known].toSorted());
    expect(store.parts()).toEqual([]);
    return orphans.length;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#uploaders.map(async (uploader) => await uploader.stop()));
  }
}

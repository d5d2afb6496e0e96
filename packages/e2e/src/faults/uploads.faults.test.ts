import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Person, person } from "@rollcall/testkit/api.ts";
import { type Program, serve } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { createScope, type Scope, type ConfiguredInstance } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";
import { filesBelow, pngBomb, samplePicture, uploadAvatar } from "@rollcall/testkit/uploads.ts";
import { print } from "./ingest.scenario.ts";

const gigabyte = 1024 ** 3;
const megabyte = 1024 ** 2;
/** Since the restart of the program. */
const backWithinMs = 30_000;

/** Peak memory of a process since the last call. MiB. */
function peakOf(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return Math.round(Number(kb ?? 0) / 1024);
}

/** Files in the folder other than the picture that was uploaded at the beginning. */
function note(fault: string, kept: readonly string[], backMs: number | null): void {
  report({
    group: "uploads",
    fault,
    backing: "SQLite, filesystem",
    acknowledged: 1,
    of: "uploads",
    lost: kept.length === 0 ? 1 : 0,
    doubled: Math.max(0, kept.length / 2 - 1),
    backMs,
    backWithinMs: backMs === null ? null : backWithinMs,
  });
}

/** A WebP or GIF whose header declares far more pixels than its data contains. */
function liars(): [string, Buffer][] {
  const webp = Buffer.alloc(40);
  webp.write("RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f", "latin1");
  webp.writeUInt32LE((16_383 | (16_383 << 14)) >>> 0, 21);
  const gif = Buffer.from(
    "GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff\x2c\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x44\x01\0\x3b",
    "latin1",
  );
  return [
    ["webp", webp],
    ["gif", gif],
  ];
}

describe("hostile uploads", () => {
  let scope: Scope;
  let instance: ConfiguredInstance;
  let program: Program;
  let mara: Person;
  let spool: string;
  beforeEach(async () => {
    scope = createScope();
    instance = await scope.instance();
    spool = path.join(instance.folder, "spool");
    mkdirSync(spool);
    program = await start();
    mara = await person(instance, { username: "mara" });
    expect((await uploadAvatar(instance.url, mara, await samplePicture())).status).toBe(200);
    peakOf(program.child.pid!);
  });
  afterEach(async () => await scope.end());

  async function start(): Promise<Program> {
    const started = await serve(instance, { env: { TMPDIR: spool } });
    scope.defer(async () => await started.stop());
    return started;
  }

  const files = () => path.join(instance.folder, "data", "files");

  /** Begins an upload; returns what is needed to continue it. */
  function begin(headers: Record<string, string>) {
    const sending = request(`${instance.url}/api/files/citizens.avatar/${mara.characterId}?name=x.png`, {
      method: "POST",
      headers: { "x-rollcall": "1", authorization: `Bearer ${mara.token}`, ...headers },
    });
    const answered = new Promise<number>((resolve, reject) => {
      sending.on("response", (response) => resolve(response.resume().statusCode ?? 0)).on("error", reject);
    });
    return { sending, answered };
  }

  test("of 3 GB are refused at once by their length, and at the limit without a length", async () => {
    const before = peakOf(program.child.pid!);
    const began = performance.now();
    const told = begin({ "content-length": String(3 * gigabyte) });
    told.sending.flushHeaders();
    expect(await told.answered).toBe(413);
    const ms = Math.round(performance.now() - began);
    told.sending.destroy();

    const { sending, answered } = begin({ "transfer-encoding": "chunked" });
    const part = Buffer.alloc(megabyte);
    let [sent, status] = [0, 0];
    void answered.then(
      (code) => (status = code),
      () => (status = -1),
    );
    for (; status === 0 && sent < 3 * 1024; sent += 1)
      if (!sending.write(part)) await Promise.race([new Promise((resolve) => sending.once("drain", resolve)), answered]);
    expect([status, await answered]).toEqual([413, 413]);
    sending.destroy();
    const grown = peakOf(program.child.pid!) - before;
    expect(sent).toBeLessThan(200);
    expect(grown).toBeLessThan(150);
    expect(readdirSync(spool)).toEqual([]);
    note("uploads of 3 GB, with and without a declared length", filesBelow(files()), null);
    expect(filesBelow(files())).toHaveLength(2);
    print(`3 GB: refused after ${ms} ms by length, after ${sent} MB without; memory grew by ${grown} MB`);
  });

  test("that expand when decoded are refused, and the largest permitted ones are decoded one at a time", async () => {
    const lines: string[] = [];
    const bombs: [string, Buffer, number[]][] = [
      ["png 50,000 x 50,000", await pngBomb(50_000, 50_000), [413]],
      ...liars().map(([name, bytes]): [string, Buffer, number[]] => [`${name} of giant size`, bytes, [400, 413]]),
      ["png 6,300 x 6,300, which is allowed", await pngBomb(6300, 6300), [200]],
    ];
    for (const [name, bytes, statuses] of bombs) {
      const before = peakOf(program.child.pid!);
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: 4 }, async () => await uploadAvatar(instance.url, mara, bytes)));
      const ms = Math.round(performance.now() - began);
      const grown = peakOf(program.child.pid!) - before;
      for (const { status } of answers) expect(statuses, name).toContain(status);
      expect(grown, name).toBeLessThan(400);
      lines.push(`${name}: ${answers[0]?.status} in ${ms} ms for four at once, memory grew by ${grown} MB`);
    }
    for (const line of lines) print(line);
  });

  test("that are killed at either end leave nothing behind", async () => {
    const half = async () => {
      const { sending, answered } = begin({ "content-length": String(20 * megabyte) });
      answered.catch(() => undefined);
      await new Promise<void>((resolve) => sending.write(Buffer.alloc(5 * megabyte, 1), () => resolve()));
      return sending;
    };
    const spooled = () =>
      readdirSync(`/proc/${program.child.pid}/fd`).filter((fd) => {
        try {
          return readlinkSync(`/proc/${program.child.pid}/fd/${fd}`).includes("rollcall-upload-");
        } catch {
          return false;
        }
      });
    const left = await half();
    await until("the server holds it", () => spooled().length === 1);
    left.destroy();
    await until("the server let go of it", () => spooled().length === 0);
    expect([readdirSync(spool), filesBelow(files()).length]).toEqual([[], 2]);

    await half();
    program.signal("SIGKILL");
    await program.exited;
    expect(readdirSync(spool)).toEqual([]);
    const began = performance.now();
    program = await start();
    await until("the start has cleaned up", () => filesBelow(files()).length === 2);
    const kept = filesBelow(files());
    expect((await uploadAvatar(instance.url, mara, await samplePicture())).status).toBe(200);
    const backMs = Math.round(performance.now() - began);
    note("uploads killed at either end", kept, backMs);
    expect(backMs).toBeLessThan(backWithinMs);
  });
});

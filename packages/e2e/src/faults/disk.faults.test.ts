import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { canMount, canSlow, mountDisk, slowFlushes } from "@rollcall/testkit/disks.ts";
import { until } from "@rollcall/testkit/until.ts";
import { print } from "./ingest.scenario.ts";
import { Solo } from "./solo.scenario.ts";

const backWithinMs = 10_000;
const mostGainMb = 150;
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe.skipIf(!canMount())("a disk that becomes full during the work", () => {
  let solo: Solo | undefined;
  afterEach(async () => await solo?.stop());

  test("refuses writes, serves reads, and recovers by itself", async () => {
    let disk: ReturnType<typeof mountDisk> | undefined;
    solo = await Solo.start(
      {
        prepare: ({ folder }) => {
          disk = mountDisk(path.join(folder, "data"), 64);
          mkdirSync(path.join(folder, "data", "files"));
        },
      },
      () => disk?.unmount(),
    );
    await solo.goesOn(400, 30_000);
    for (const round of [1, 2, 3]) {
      const before = { acknowledged: solo.acknowledged, memory: solo.memory() };
      disk!.fill();
      const refused = await until("a write is refused", async () => {
        const { status, code } = await solo!.write();
        return status === 200 ? null : { status, code };
      });
      expect(refused).toEqual({ status: 503, code: "system.diskFull" });
      expect(await solo.read()).toBeLessThan(2000);
      const ready = await call(solo.instance.adminUrl, "/readyz");
      const parts = ready.body.parts as readonly { part: string; state: string; reason: string | null }[];
      expect([ready.status, ready.body.state]).toEqual([200, "degraded"]);
      expect(parts.find(({ part }) => part === "database")).toMatchObject({
        state: "degraded",
        reason: expect.stringContaining("the disk is full"),
      });
      disk!.free();
      const backMs = await solo.backAfter(backWithinMs);
      await solo.goesOn(200, backWithinMs);
      expect(solo.memory() - before.memory).toBeLessThan(mostGainMb);
      print(`disk full, time ${round}: writes refused with 503, reads go on; stored again ${backMs} ms after there was room`);
      if (round < 3) continue;
      await solo.expectWhole({
        group: "disks",
        fault: "disk full, three times",
        backMs,
        backWithinMs,
      });
    }
  });
});

describe.skipIf(!canSlow())("a disk whose flushes take 300 ms", () => {
  let solo: Solo | undefined;
  afterEach(async () => await solo?.stop());

  test("makes writes slow, and nothing else", async () => {
    solo = await Solo.start({ wrap: slowFlushes(300) });
    const memory = solo.memory();
    await solo.goesOn(200, 60_000);
    const reads: number[] = [];
    const writes: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const write = solo.write();
      reads.push(await solo.read(), await solo.read());
      const { status, ms } = await write;
      expect(status).toBe(200);
      writes.push(ms);
    }
    expect(median(writes)).toBeGreaterThan(290);
    expect(median(reads)).toBeLessThan(200);
    expect(solo.memory() - memory).toBeLessThan(mostGainMb);
    print(
      `flushes of 300 ms: a write ${Math.round(median(writes))} ms, a read beside it ${Math.round(median(reads))} ms (medians)`,
    );
    await solo.expectWhole({
      group: "disks",
      fault: "every flush takes 300 ms longer",
    });
  });
});

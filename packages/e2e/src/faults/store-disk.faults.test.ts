import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { call, person, sendTo } from "@rollcall/testkit/api.ts";
import { canMount, mountDisk } from "@rollcall/testkit/disks.ts";
import { userOf } from "@rollcall/testkit/population.ts";
import { serve } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { queryOf } from "@rollcall/testkit/stored.ts";
import { until } from "@rollcall/testkit/until.ts";
import { sha256, Uploader } from "@rollcall/testkit/uploader.ts";
import { filesBelow } from "@rollcall/testkit/uploads.ts";
import { print } from "./ingest.scenario.ts";

const backWithinMs = 10_000;

/** Which disk is full, by its folder in the instance. */
const disks = [
  { name: "the disk of the files is full", folder: "data/files", mib: 32 },
  { name: "the disk where uploads wait is full", folder: "spool", mib: 8 },
] as const;

describe.skipIf(!canMount())("uploads while", () => {
  let scope: Scope = createScope();
  afterEach(async () => {
    await scope.end();
    scope = createScope();
  });

  test.each(disks)(
    "$name are refused, leave nothing behind, and are accepted again once there is room",
    async ({ name, folder, mib }) => {
      const instance = await scope.instance();
      const disk = mountDisk(path.join(instance.folder, folder), mib);
      scope.defer(() => disk.unmount());
      const [files, spool] = [path.join(instance.folder, "data", "files"), path.join(instance.folder, "spool")];
      mkdirSync(spool, { recursive: true });
      const program = await serve(instance, { env: { TMPDIR: spool } });
      scope.defer(async () => await program.stop());
      const query = queryOf(instance, null);
      const mara = await person(instance, { username: "mara", groups: "admin" });
      const uploader = await Uploader.start(instance.url, mara);
      scope.defer(async () => await uploader.stop());
      const refused = () => uploader.tried.filter(({ status }) => status !== 200);
      const takenSince = (from: number) => uploader.taken.filter(({ began }) => began >= from).length;
      await until("uploads go on", () => uploader.taken.length >= 5);

      let backMs = 0;
      for (const round of [1, 2, 3]) {
        const before = refused().length;
        // The removal of refused uploads leaves room for another one.
        await until("uploads are refused", () => {
          disk.fill();
          return refused().length >= before + 5;
        });
        const began = performance.now();
        expect((await call(instance.url, "/api/settings", { cookie: mara.cookie })).status).toBe(200);
        expect((await uploader.bytes(uploader.taken[0]!.url)).status).toBe(200);
        expect((await sendTo(instance.url, "users", [userOf(700_000 + round)])).status).toBe(200);
        expect(performance.now() - began).toBeLessThan(2000);
        disk.free();
        const freed = performance.now();
        await until("an upload is taken", () => takenSince(freed) > 0, backWithinMs);
        backMs = Math.max(backMs, Math.round(performance.now() - freed));
      }
      expect(backMs).toBeLessThan(backWithinMs);
      await uploader.stop();

      for (const { status, code } of refused()) expect([status, code]).toEqual([503, "system.diskFull"]);
      const rows = query("select object_key, sha256, id from files").map((line) => line.split("\t"));
      let lost = 0;
      for (const { id, url } of uploader.taken) {
        const { bytes } = await uploader.bytes(url);
        if (bytes === null || sha256(bytes) !== rows.find((row) => row[2] === String(id))?.[1]) lost += 1;
      }
      const doubled = rows.length - uploader.taken.length;
      report({
        group: "uploads",
        fault: `${name}, three times`,
        backing: "SQLite, filesystem",
        acknowledged: uploader.taken.length,
        of: "uploads",
        lost,
        doubled,
        backMs,
        backWithinMs,
      });
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
      const kept = filesBelow(files).filter((file) => !file.startsWith("probe/"));
      expect(kept).toEqual(rows.flatMap(([key]) => [key, `${key}-t`]).toSorted());
      if (folder !== "spool") expect(readdirSync(spool)).toEqual([]);
      expect(filesBelow(spool)).toEqual([]);
      expect(program.child.exitCode).toBeNull();
      print(
        `${name}, three times: ${refused().length} uploads refused with 503, ${rows.length} whole; taken again within ${backMs} ms`,
      );
    },
  );
});

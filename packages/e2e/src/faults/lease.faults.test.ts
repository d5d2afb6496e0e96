import { afterEach, describe, test } from "vitest";
import { hasMariadb } from "@rollcall/testkit/backing.ts";
import { proveLateWriteRefused, proveStopInsideUnit, Rivals } from "./lease.scenario.ts";

describe.skipIf(!hasMariadb)("a lease holder that is stopped for 30 s and resumes", () => {
  let rivals: Rivals | null = null;
  afterEach(async () => await rivals?.end());

  test("is replaced by another, and its late write is refused", async () => {
    rivals = await Rivals.start(15_000);
    await proveLateWriteRefused(rivals, { stoppedMs: 30_000 });
  });

  test("also when it was stopped inside its unit of work", async () => {
    rivals = await Rivals.start(5000);
    await proveStopInsideUnit(rivals, { stoppedMs: 30_000 });
  });
});

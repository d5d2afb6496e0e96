import { afterEach, describe, test } from "vitest";
import { hasMariadb } from "@rollcall/testkit/backing.ts";
import { proveLateWriteRefused, Rivals } from "./lease.scenario.ts";

describe.skipIf(!hasMariadb)("a lease holder that is stopped and resumes later", () => {
  let rivals: Rivals | null = null;
  afterEach(async () => await rivals?.end());

  test("is replaced by another, and its late write is refused", async () => {
    rivals = await Rivals.start(2000);
    await proveLateWriteRefused(rivals, { stoppedMs: 3000 });
  });
});

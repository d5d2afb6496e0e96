import { afterEach, describe, test } from "vitest";
import { hasMariadb } from "#kit/backing.ts";
import { proveLateWriteRefused, Rivals } from "./lease.scenario.ts";

describe.skipIf(!hasMariadb)("a lease holder that is stopped and goes on later", () => {
  let rivals: Rivals | null = null;
  afterEach(async () => await rivals?.end());

  test("is followed by another, and its late write is refused", async () => {
    rivals = await Rivals.start(2000);
    await proveLateWriteRefused(rivals, { stoppedMs: 3000 });
  });
});

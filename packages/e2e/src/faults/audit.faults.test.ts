import { describe, test } from "vitest";
import { proveAudit } from "./audit.scenario.ts";
import { backings, City, print } from "./ingest.scenario.ts";

describe.each(backings)("the audit log on $name, with the server killed right after an answer", (backing) => {
  test("loses no entry and has none too many", async () => {
    const city = await City.start(backing.scaled);
    try {
      const { changes, restartMs } = await proveAudit(city, 40);
      print(`${backing.name}: ${restartMs.length} SIGKILLs behind ${changes} answered changes: lost 0 entries`);
    } finally {
      await city.stop();
    }
  });
});

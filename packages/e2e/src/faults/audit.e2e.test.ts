import { describe, test } from "vitest";
import { proveAudit } from "./audit.scenario.ts";
import { backings, City, print } from "./ingest.scenario.ts";

const deep = process.env["ROLLCALL_TEST_DEEP"] === "1";

describe.each(backings)("the audit log on $name, with the server killed right after an answer", (backing) => {
  test(
    "loses no entry and has none too many",
    async () => {
      const city = await City.start(backing.scaled);
      try {
        const { changes, restartMs } = await proveAudit(city, deep ? 40 : 2);
        print(`${backing.name}: ${restartMs.length} SIGKILLs behind ${changes} answered changes: lost 0 entries`);
      } finally {
        await city.stop();
      }
    },
    deep ? 600_000 : 120_000,
  );
});

import { describe, test } from "vitest";
import { backings, City } from "./ingest.scenario.ts";
import { proveApprovals, proveClosing, proveShiftChanges } from "./joblife.scenario.ts";

describe.each(backings)("the life in a job on $name, with kills of the server", (backing) => {
  test("counts each shift, each approved time and each sum of a pay period once", async () => {
    const city = await City.start(backing.scaled);
    try {
      await proveShiftChanges(backing.name, city, { crew: 40, rounds: 18, kills: 6 });
      await proveApprovals(backing.name, city, { members: 5, each: 8, kills: 6 });
      await proveClosing(backing.name, city, { people: 2500, periods: 3 });
    } finally {
      await city.stop();
    }
  });
});

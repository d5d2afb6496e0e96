import { describe, test } from "vitest";
import { backings, City, proveIngest } from "./ingest.scenario.ts";

describe.each(backings)("an ingest of 50,000 users on $name, killed and repeated", (backing) => {
  test("loses and duplicates nothing", async () => {
    const city = await City.start(backing.scaled);
    try {
      await proveIngest(backing, city, { users: 50_000, kills: 5 });
    } finally {
      await city.stop();
    }
  });
});

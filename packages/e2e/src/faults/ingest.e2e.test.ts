import { describe, test } from "vitest";
import { backings, City, proveIngest } from "./ingest.scenario.ts";

const deep = process.env["ROLLCALL_TEST_DEEP"] === "1";

describe.each(backings)("an ingest on $name, killed and repeated", (backing) => {
  test(
    "loses and doubles nothing",
    async () => {
      const city = await City.start(backing.scaled);
      try {
        await proveIngest(backing, city, deep ? { users: 50_000, kills: 5 } : { users: 1000, kills: 1 });
      } finally {
        await city.stop();
      }
    },
    deep ? 600_000 : 90_000,
  );
});

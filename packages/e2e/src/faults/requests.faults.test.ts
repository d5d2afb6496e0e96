import { describe, test } from "vitest";
import { backings, City } from "./ingest.scenario.ts";
import { proveRequests } from "./requests.scenario.ts";

describe.each(backings)("requests to the game on $name, with ten kills of the server and ten of the receiver", (backing) => {
  test("are applied once, in order, and their end is known", async () => {
    const city = await City.start(backing.scaled);
    try {
      await proveRequests(backing.name, city, { askers: 10, kills: 10, atLeast: 300 });
    } finally {
      await city.stop();
    }
  });
});

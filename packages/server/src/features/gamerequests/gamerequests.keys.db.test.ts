import { expect, test } from "vitest";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { greet, Plugin, sql, stateOf, TrialRequests } from "./gamerequests.testkit.ts";

let sources = 0;

describeApps(
  "requests to the game server of one key",
  (get) => {
    /** A plugin of a source of its own that has polled once. */
    async function plugin(): Promise<Plugin> {
      sources += 1;
      const one = new Plugin(get(), `keyed-city-${sources}`);
      await one.poll();
      return one;
    }

    test("a new one replaces the one that nobody fetched", async () => {
      const city = await plugin();
      const first = await city.send("first", { key: city.source });
      const second = await city.send("second", { key: city.source });
      expect(await city.texts()).toEqual(["second"]);
      expect(await stateOf(get(), first)).toBeUndefined();
      expect(await city.latest(greet, city.source)).toMatchObject({ id: second, state: "delivered" });
      expect(await sql(get(), "select task_id from worker_tasks where payload like ?", [`%${first}%`])).toEqual([]);
    });

    test("one that was fetched goes on, and a new one with another payload follows it", async () => {
      const city = await plugin();
      const first = await city.send("first", { key: city.source });
      await city.poll();
      const second = await city.send("second", { key: city.source });
      expect(await city.texts()).toEqual(["second"]);
      await city.report({ id: first, outcome: "done" });
      expect(await city.latest(greet, city.source)).toMatchObject({ id: second, state: "delivered" });
    });

    test("the same one is not sent while it is fetched and before its deadline, and is sent after its end", async () => {
      const city = await plugin();
      const same = async () => await city.send("same", { key: city.source });
      const first = await same();
      await city.poll();
      expect(await Promise.all([same(), same(), same()])).toEqual([first, first, first]);
      expect(await city.texts()).toEqual([]);
      await sql(get(), "update gamerequests set expires_at = 1 where id = ?", [first]);
      const second = await same();
      expect(await city.texts()).toEqual(["same"]);
      await city.report({ id: second, outcome: "done" });
      await same();
      expect(await city.texts()).toEqual(["same"]);
    });

    test("many at once leave one open", async () => {
      const city = await plugin();
      const ids = await Promise.all(
        Array.from({ length: 8 }, async (_none, i) => await city.send(String(i), { key: city.source })),
      );
      const { requests } = await city.poll();
      expect(requests).toHaveLength(1);
      expect(ids).toContain(requests[0]?.id);
    });
  },
  { ROLLCALL_SYNC_APITOKENS: testSecrets.sync },
  { features: [new TrialRequests().feature] },
);

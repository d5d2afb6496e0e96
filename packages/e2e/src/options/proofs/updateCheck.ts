import assert from "node:assert/strict";
import { call, person } from "../../kit/api.ts";
import { type Place, run, serve } from "../../kit/program.ts";
import { until } from "../../kit/until.ts";
import { ageLastLook } from "../../updates/age.ts";
import { type Feed, startFeed } from "../../updates/feed.ts";
import type { OptionProof, ProofKit } from "../proof.ts";

async function feedOf(kit: ProofKit): Promise<{ feed: Feed; env: Record<string, string> }> {
  const feed = await startFeed("9.0.0");
  kit.defer(async () => await feed.close());
  return { feed, env: { ROLLCALL_UPDATE_FEED_URL: feed.url } };
}

/** What the program says to a config admin. */
async function statusOf(place: Place, username: string, env: Record<string, string>) {
  const { cookie } = await person(place, { username, groups: "admin", env });
  return async () => (await call(place.url, "/api/updates", { cookie })).body;
}

export const proofs: readonly OptionProof[] = [
  {
    option: "updateCheck.enabled",
    first: { value: "true", observed: "the release feed is asked, and a newer version in it is shown to admins" },
    second: { value: "false", observed: "the feed is never asked, and nothing is shown" },
    async run(kit) {
      const [on, off] = [await feedOf(kit), await feedOf(kit)];
      const [a, b] = [await kit.place(), await kit.place({ "updateCheck.enabled": false })];
      for (const [place, { env }] of [
        [a, on],
        [b, off],
      ] as const) {
        const program = await serve(place, { env });
        kit.defer(async () => await program.stop());
      }
      const shown = await statusOf(a, "offered", on.env);
      assert.equal((await until("the version is offered", async () => (await shown()).available)).version, "9.0.0");
      const silent = await (await statusOf(b, "silent", off.env))();
      assert.deepEqual([silent.enabled, silent.checkedAt, silent.available, off.feed.asked()], [false, null, null, 0]);
      assert.match((await run(["doctor"], b, { env: off.env })).stdout, /updateCheck\.enabled is false/);
    },
  },
  {
    option: "updateCheck.interval",
    first: { value: "6h", observed: "an hour after the last look the feed is not asked again" },
    second: { value: "30m", observed: "an hour after the last look it is" },
    async run(kit) {
      const counts = await Promise.all(
        (["6h", "30m"] as const).map(async (interval) => {
          const { feed, env } = await feedOf(kit);
          const place = await kit.place({ "updateCheck.interval": interval, logLevel: "DEBUG" });
          const first = await serve(place, { env });
          await first.seen(/"msg":"the release feed answered"/);
          await first.seen(/"job":"updates\.check","run":\d+,"outcome":"done"/);
          await first.stop();
          ageLastLook(place.folder, 60 * 60_000);
          const second = await serve(place, { env });
          kit.defer(async () => await second.stop());
          if (interval === "30m") await second.seen(/"msg":"the release feed answered"/);
          else {
            const waits = await second.seen(/"job":"updates\.check","waitMs":(\d+)/);
            assert.ok(Number(waits[1]) > 4.9 * 3_600_000, waits[0]);
          }
          return feed.asked();
        }),
      );
      assert.deepEqual(counts, [1, 2]);
    },
  },
];

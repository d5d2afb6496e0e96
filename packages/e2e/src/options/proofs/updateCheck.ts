import assert from "node:assert/strict";
import { call, person } from "@rollcall/testkit/api.ts";
import { type Instance, run, serve } from "@rollcall/testkit/program.ts";
import { until } from "@rollcall/testkit/until.ts";
import { ageLastLook } from "../../updates/age.ts";
import { type Feed, startFeed } from "../../updates/feed.ts";
import type { OptionProof, ProofKit } from "../proof.ts";

async function feedOf(kit: ProofKit): Promise<{ feed: Feed; env: Record<string, string> }> {
  const feed = await startFeed("9.0.0");
  kit.defer(async () => await feed.close());
  return { feed, env: { ROLLCALL_UPDATECHECK_FEEDURL: feed.url } };
}

/** The update status for a config admin. */
async function statusOf(instance: Instance, username: string, env: Record<string, string>) {
  const { cookie } = await person(instance, { username, groups: "admin", env });
  return async () => (await call(instance.url, "/api/updates", { cookie })).body;
}

export const proofs: readonly OptionProof[] = [
  {
    option: "updateCheck.feedURL",
    first: { value: "the URL of a feed", observed: "it is asked, and its newer version is shown to admins" },
    second: { value: "none", observed: "nothing is asked, and rollcall config check, rollcall doctor and the status say so" },
    async run(kit) {
      const { feed, env } = await feedOf(kit);
      const [a, b] = [await kit.instance({ "updateCheck.feedURL": feed.url }), await kit.instance()];
      for (const instance of [a, b]) {
        const program = await serve(instance);
        kit.defer(async () => await program.stop());
      }
      const shown = await statusOf(a, "fed", {});
      assert.equal((await until("the version is offered", async () => (await shown()).available)).version, "9.0.0");
      const { hasFeed, checkedAt } = await (await statusOf(b, "unfed", {}))();
      assert.deepEqual([hasFeed, checkedAt, Object.keys(env)], [false, null, ["ROLLCALL_UPDATECHECK_FEEDURL"]]);
      assert.match((await run(["doctor"], b)).stdout, /updateCheck\.feedURL is not set/);
      assert.match((await run(["config", "check"], b)).stdout, /hint .*updateCheck\.feedURL {2}is not set/);
    },
  },
  {
    option: "updateCheck.enabled",
    first: { value: "true", observed: "the release feed is asked, and a newer version in it is shown to admins" },
    second: { value: "false", observed: "the feed is never asked, and nothing is shown" },
    async run(kit) {
      const [on, off] = [await feedOf(kit), await feedOf(kit)];
      const [a, b] = [await kit.instance(), await kit.instance({ "updateCheck.enabled": false })];
      for (const [instance, { env }] of [
        [a, on],
        [b, off],
      ] as const) {
        const program = await serve(instance, { env });
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
    first: { value: "6h", observed: "an hour after the last check the feed is not requested again" },
    second: { value: "30m", observed: "an hour after the last check it is" },
    async run(kit) {
      const { feed, env } = await feedOf(kit);
      const hour = 60 * 60_000;
      const instance = await kit.instance({ "updateCheck.interval": "6h", logLevel: "DEBUG" });
      const first = await serve(instance, { env });
      await first.seen(/"msg":"the release feed answered"/);
      await first.seen(/"schedule":"updates\.check","run":\d+,"outcome":"done"/);
      await first.stop();
      ageLastLook(instance.folder, hour);
      const second = await serve(instance, { env });
      const waits = await second.seen(/"schedule":"updates\.check","waitMs":(\d+)/);
      assert.ok(Number(waits[1]) > 4.9 * 3_600_000, waits[0]);
      await second.stop();
      const counts = [feed.asked()];
      instance.set({ "updateCheck.interval": "30m", logLevel: "DEBUG" });
      const third = await serve(instance, { env });
      kit.defer(async () => await third.stop());
      await third.seen(/"msg":"the release feed answered"/);
      counts.push(feed.asked());
      assert.deepEqual(counts, [1, 2]);
    },
  },
];

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { doctor } from "#features/system/system.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { listScheduled, runScheduled } from "#features/scheduler/scheduler.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { updateStatus } from "./updates.contract.ts";

let answer: { status: number; body: string } = { status: 200, body: '{"releases":[]}' };
const feed = createServer((_request, response) => {
  response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
}).listen(0, "127.0.0.1");
await once(feed, "listening");
afterAll(() => void feed.close());

const releases = (...versions: string[]) => ({
  status: 200,
  body: JSON.stringify({
    releases: versions.map((version) => ({ version, notes: `<i>${version}</i>`, url: "https://x.example/" })),
  }),
});

describeApps(
  "checking for new versions",
  (get) => {
    /** Waits for the end of the run, because the next run is refused until it is recorded. */
    async function check(cookie: string) {
      const { app } = get();
      const newest = async () => {
        const { output } = await app.call(listScheduled, {}, { cookie });
        return output.jobs.find(({ id }) => id === "updates.check")?.runs[0];
      };
      const before = (await newest())?.id ?? 0;
      const { status } = await app.call(runScheduled, { params: { job: "updates.check" } }, { cookie });
      expect(status).toBe(204);
      await expect.poll(newest).toMatchObject({ id: expect.toSatisfy((id: number) => id > before), outcome: "done" });
      return (await app.call(updateStatus, {}, { cookie })).output;
    }

    const notificationsOf = async (token: string) =>
      (await get().app.call(listNotifications, { query: { kind: "updates.available" } }, { token })).output.items;
    const finding = async (cookie: string) =>
      (await get().app.call(doctor, {}, { cookie })).output.findings.filter(({ id }) => id.startsWith("updates."));

    test("notifies config admins once of each new version, with the notes as plain text", async () => {
      const { app, world } = get();
      const admin = await world.actor({ groups: ["admin"] });
      const other = await world.actor({});
      answer = releases("0.0.1", "0.1.0");
      expect((await check(admin.cookie)).available).toBeNull();
      answer = releases("0.2.0-rc.1");
      expect((await check(admin.cookie)).available).toBeNull();
      expect(await notificationsOf(admin.token)).toEqual([]);
      answer = releases("0.1.1", "0.2.0");
      const found = await check(admin.cookie);
      expect(found).toMatchObject({ running: "0.1.0", problem: null, available: { version: "0.2.0", notes: "<i>0.2.0</i>" } });
      await check(admin.cookie);
      expect((await notificationsOf(admin.token)).map(({ params, link }) => [params, link])).toEqual([
        [{ version: "0.2.0" }, "/panel/status"],
      ]);
      expect(await notificationsOf(other.token)).toEqual([]);
      expect(await finding(admin.cookie)).toMatchObject([{ id: "updates.available", state: "warning" }]);
      answer = releases("0.3.0");
      await check(admin.cookie);
      expect((await notificationsOf(admin.token)).map(({ params }) => params["version"])).toEqual(["0.3.0"]);
      const refused = await app.call(updateStatus, {}, { cookie: other.cookie });
      expect([refused.status, refused.body.code]).toEqual([403, "system.configAdminNeeded"]);
    });

    test("shows the last result while the feed is away, and since when", async () => {
      const admin = await get().world.actor({ groups: ["admin"] });
      answer = releases("0.1.0");
      const { knownAt } = await check(admin.cookie);
      for (const [broken, problem] of [
        [{ status: 503, body: "" }, /HTTP 503/],
        [{ status: 200, body: "<html>" }, /not JSON/],
        [{ status: 200, body: "{}" }, /no list of releases/],
      ] as const) {
        answer = broken;
        const found = await check(admin.cookie);
        expect(found.problem).toMatch(problem);
        expect(found.knownAt).toBe(knownAt);
      }
      expect(await finding(admin.cookie)).toMatchObject([{ id: "updates.unknown", state: "warning" }]);
      answer = releases("0.1.0");
      await check(admin.cookie);
      expect(await finding(admin.cookie)).toMatchObject([{ id: "updates.current", state: "ok" }]);
    });
  },
  {
    ROLLCALL_UPDATECHECK_ENABLED: "true",
    ROLLCALL_UPDATECHECK_FEEDURL: `http://127.0.0.1:${(feed.address() as AddressInfo).port}/releases.json`,
  },
);

describeApps("checking for new versions, switched off", (get) => {
  test("sends no request and is shown as off", async () => {
    const admin = await get().world.actor({ groups: ["admin"] });
    const { output } = await get().app.call(updateStatus, {}, { cookie: admin.cookie });
    expect(output).toMatchObject({ enabled: false, checkedAt: null, available: null });
    const { status } = await get().app.call(runScheduled, { params: { job: "updates.check" } }, { cookie: admin.cookie });
    expect(status).toBe(404);
  });
});

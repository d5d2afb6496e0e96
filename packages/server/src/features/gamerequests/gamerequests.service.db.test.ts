import { describe, expect, test } from "vitest";
import { listAudit } from "#features/audit/audit.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import { gamerequestsApi } from "./gamerequests.api.ts";
import { mostDelivered, mostPolls, pollRequests, putReceipts } from "./gamerequests.contract.ts";
import type { GameRequestsService } from "./gamerequests.service.ts";
import { fragile, greet, hurry, nextPoll, Plugin, sql, stateOf, TrialRequests } from "./gamerequests.testkit.ts";

const otherToken = "sync-token-of-another-city-4444";
const trial = new TrialRequests();
const patience = { timeout: 20_000, interval: 20 };
let sources = 0;
const serviceOf = ({ app }: AppUnderTest) => app.process.assembly.api(gamerequestsApi) as GameRequestsService;

describeApps(
  "requests to the game server",
  (get) => {
    /** A plugin of a source of its own that has polled once. */
    async function plugin(token?: string): Promise<Plugin> {
      sources += 1;
      const one = new Plugin(get(), `city-${sources}`, token);
      await one.poll();
      return one;
    }

    describe("are delivered", () => {
      test("in the order of their positions, until a poll confirms them", async () => {
        const city = await plugin();
        await Promise.all(Array.from({ length: 20 }, async (_none, i) => await city.send(String(i))));
        const { output } = await city.peek();
        const positions = output.requests.map(({ position }) => position);
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
        expect(new Set(output.requests.map(({ payload }) => payload["text"])).size).toBe(20);
        const again = (await city.peek()).output.requests;
        expect(again.map(({ id }) => id)).toEqual(output.requests.map(({ id }) => id));
        expect(Math.max(...again.map(({ expiresInMs }) => expiresInMs))).toBeLessThanOrEqual(600_000);
        expect(await city.texts()).toHaveLength(20);
        expect(await city.texts()).toEqual([]);
      });

      test("by GET alone: a HEAD, and a query with a misspelled field, fetch nothing", async () => {
        const city = await plugin();
        const id = await city.send("here");
        const address = `${pollRequests.path}?source=${city.source}&after=${city.position}`;
        const call = async (method: string, more: string) =>
          await get().app.request(method, address + more, { token: testSecrets.sync });
        expect((await call("HEAD", `&epoch=${city.epoch}`)).status).toBe(404);
        const { status, body } = await call("GET", `&epoc=${city.epoch}`);
        expect([status, body.code, body.params]).toEqual([
          400,
          "system.invalidInput",
          { field: "query.epoc", problem: "is not known; write epoch" },
        ]);
        expect(await stateOf(get(), id)).toBe("open");
        expect(await city.texts()).toEqual(["here"]);
      });

      test("in chunks, each beginning behind the one before", async () => {
        const city = await plugin();
        for (let i = 0; i < mostDelivered + 3; i += 1) await city.send(String(i));
        const [first, second, third] = [await city.texts(), await city.texts(), await city.texts()];
        expect([...first, ...second]).toEqual(Array.from({ length: mostDelivered + 3 }, (_none, i) => String(i)));
        expect([first.length, third]).toEqual([mostDelivered, []]);
      });

      test("in the order of the commits: a later one never overtakes one that is not committed yet", async () => {
        const { app } = get();
        const city = await plugin();
        const held = Promise.withResolvers<void>();
        const sent = Promise.withResolvers<void>();
        const first = app.process.container.ports.db.write("test.first", async (tx) => {
          await serviceOf(get()).send(tx, { kind: "system", name: "test" }, greet, {
            payload: { text: "first" },
            source: city.source,
          });
          sent.resolve();
          await held.promise;
        });
        await sent.promise;
        const second = city.send("second");
        for (let i = 0; i < 3; i += 1) expect(await city.texts()).toEqual([]);
        held.resolve();
        await Promise.all([first, second]);
        expect(await city.texts()).toEqual(["first", "second"]);
      });

      test("to their game server only; without one to the first that fetches them", async () => {
        const [here, there] = [await plugin(), await plugin()];
        await here.send("mine");
        await here.send("anybody", { source: null });
        expect(await there.texts()).toEqual(["anybody"]);
        expect(await here.texts()).toEqual(["mine"]);
      });

      test("not after a rollback", async () => {
        const { app } = get();
        const city = await plugin();
        const failing = app.process.container.ports.db.write("test.fails", async (tx) => {
          await serviceOf(get()).send(tx, { kind: "system", name: "test" }, greet, {
            payload: { text: "never" },
            source: city.source,
          });
          throw new Error("rolled back");
        });
        await expect(failing).rejects.toThrow("rolled back");
        await city.send("after");
        expect(await city.texts()).toEqual(["after"]);
      });

      test("not with a payload that does not fit", async () => {
        const city = await plugin();
        await expect(city.send("", { payload: { text: 1 } })).rejects.toThrow("does not fit its schema");
        await expect(city.send("x".repeat(20_000))).rejects.toThrow("too long");
      });
    });

    test("are not delivered to the token of another game server, which cannot end them either", async () => {
      const { app } = get();
      const [here, there] = [await plugin(), await plugin(otherToken)];
      const id = await here.send("mine");
      await here.texts();
      const foreign = new Plugin(get(), here.source, otherToken);
      expect((await foreign.peek()).body.code).toBe("gamerequests.sourceTaken");
      const body = { source: here.source, receipts: [{ id, outcome: "done" as const }] };
      expect((await app.call(putReceipts, { body }, { token: otherToken })).body.code).toBe("gamerequests.sourceTaken");
      expect(await stateOf(get(), id)).toBe("delivered");
      // Also while its own plugin is silent, because this token serves another one.
      await sql(get(), "update gamerequests_servers set last_polled_at = 0 where source = ?", [here.source]);
      expect((await foreign.peek()).body.code).toBe("gamerequests.sourceTaken");
      await sql(get(), "delete from gamerequests_servers where source = ?", [there.source]);
      expect((await foreign.peek()).output.requests).toHaveLength(1);
    });

    describe("a poll that waits", () => {
      test("ends as soon as a request is committed", async () => {
        const city = await plugin();
        const looked = nextPoll(get());
        const waiting = city.texts(25);
        await looked;
        const began = performance.now();
        await city.send("now");
        expect(await waiting).toEqual(["now"]);
        expect(performance.now() - began).toBeLessThan(10_000);
      });

      test("uses no connection, and one too many is refused with Retry-After", async () => {
        const { app } = get();
        const cities: Plugin[] = [];
        for (let i = 0; i < mostPolls; i += 1) cities.push(await plugin());
        const waiting = cities.map(async (city) => await city.texts(25));
        await expect
          .poll(async () => {
            const query = { source: "one-more", wait: 0 };
            const { status, body, headers } = await app.call(pollRequests, { query }, { token: testSecrets.sync });
            return [status, body.code, headers["retry-after"]];
          }, patience)
          .toEqual([429, "gamerequests.tooManyPolls", "5"]);
        for (const city of cities) await city.send(city.source);
        expect(await Promise.all(waiting)).toEqual(cities.map(({ source }) => [source]));
        expect((await cities[0]!.peek()).status).toBe(200);
      });
    });

    describe("positions that are not valid", () => {
      test("of another epoch or beyond the end begin with what is open", async () => {
        const city = await plugin();
        await city.send("done");
        const [done] = (await city.poll()).requests;
        await city.report({ id: done!.id, outcome: "done" });
        await city.send("open");
        expect(await city.poll()).toMatchObject({ reset: false, requests: [{ payload: { text: "open" } }] });
        const { epoch, position } = city;
        city.position = position + 1000;
        expect((await city.peek()).output).toMatchObject({ reset: true, epoch, requests: [{ payload: { text: "open" } }] });
        city.position = position;
        city.epoch = "another";
        expect(await city.poll()).toMatchObject({ reset: true, epoch, requests: [{ payload: { text: "open" } }] });
        expect(await city.poll()).toMatchObject({ reset: false, requests: [] });
      });

      test("are those of before a restore", async () => {
        const { app } = get();
        const city = await plugin();
        const before = city.epoch;
        await city.send("kept");
        await app.process.container.ports.db.write("test.restored", async (tx) => await app.process.assembly.restored(tx));
        expect(await city.poll(25)).toMatchObject({ reset: true, requests: [{ payload: { text: "kept" } }] });
        expect(city.epoch).not.toBe(before);
      });
    });

    describe("receipts", () => {
      test("end requests once, with their answer or reason; repeating them changes nothing", async () => {
        const city = await plugin();
        const [a, b, c] = [await city.send("a"), await city.send("b"), await city.send("c")];
        await city.poll();
        const receipts = [
          { id: a, outcome: "done", answer: { said: "hello" } },
          { id: b, outcome: "refused", reason: "not in the mood" },
          { id: c, outcome: "unknown", reason: "crashed" },
        ] as const;
        expect(await city.report(...receipts)).toEqual({ accepted: 3, unchanged: 0, missing: [] });
        expect(await city.report(...receipts)).toEqual({ accepted: 0, unchanged: 3, missing: [] });
        const outcomeOf = (id: string) => trial.ended.filter(({ request }) => request.id === id).map(({ outcome }) => outcome);
        await expect
          .poll(() => [a, b, c].map(outcomeOf), patience)
          .toEqual([
            [{ state: "done", answer: { said: "hello" } }],
            [{ state: "refused", reason: "not in the mood" }],
            [{ state: "unknown", reason: "crashed" }],
          ]);
        expect(await city.report({ id: b, outcome: "done" })).toEqual({ accepted: 0, unchanged: 1, missing: [] });
        expect(await stateOf(get(), b)).toBe("refused");
        await expect
          .poll(async () => await sql(get(), "select task_id from worker_tasks where payload like ?", [`%${a}%`]), patience)
          .toEqual([]);
      });

      test("are accepted although a feature fails at the end of its request; others are run, and its own is tried again", async () => {
        const city = await plugin();
        const [bad, good] = [await city.send("bad", {}, fragile), await city.send("good")];
        await city.poll();
        trial.broken = true;
        try {
          expect(await city.report({ id: bad, outcome: "done" }, { id: good, outcome: "done" })).toMatchObject({ accepted: 2 });
          await expect.poll(() => trial.statesOf(good), patience).toEqual(["done"]);
          expect([await stateOf(get(), bad), trial.statesOf(bad)]).toEqual(["done", []]);
        } finally {
          trial.broken = false;
        }
        await expect.poll(() => trial.statesOf(bad), patience).toEqual(["done"]);
      });

      test("one call may name a request twice: the first counts", async () => {
        const city = await plugin();
        const id = await city.send("twice");
        await city.poll();
        expect(await city.report({ id, outcome: "done" }, { id, outcome: "refused" })).toMatchObject({
          accepted: 1,
          unchanged: 1,
        });
        await expect.poll(() => trial.statesOf(id), patience).toEqual(["done"]);
      });

      test("of other game servers and of unknown requests are missing", async () => {
        const [here, there] = [await plugin(), await plugin()];
        const id = await here.send("mine");
        await here.poll();
        const unknown = "0".repeat(26);
        expect(await there.report({ id, outcome: "done" }, { id: unknown, outcome: "done" })).toEqual({
          accepted: 0,
          unchanged: 0,
          missing: [id, unknown],
        });
        expect(await stateOf(get(), id)).toBe("delivered");
      });

      test("with an answer of another shape leave the end unknown", async () => {
        const city = await plugin();
        const id = await city.send("shape");
        await city.poll();
        await city.report({ id, outcome: "done", answer: { said: 7 } });
        await expect
          .poll(() => trial.ended.find(({ request }) => request.id === id)?.outcome, patience)
          .toEqual({ state: "unknown", reason: expect.stringContaining("does not fit") });
      });

      test("are in the audit log, as is the request", async () => {
        const { app, world } = get();
        const city = await plugin();
        const id = await city.send("audited");
        await city.poll();
        await city.report({ id, outcome: "done" });
        const admin = await world.actor({ groups: ["admin"] });
        const { output } = await app.call(listAudit, { query: { action: "gamerequests." } }, { cookie: admin.cookie });
        const mine = output.items.filter(({ object }) => object?.id === id);
        expect(mine.map(({ action }) => action)).toEqual(["gamerequests.end", "gamerequests.send"]);
      });
    });

    describe("after the deadline", () => {
      test("a request that nobody fetched has expired and is not delivered; one that was fetched is unknown", async () => {
        const city = await plugin();
        const fetched = await city.send("fetched", {}, hurry);
        await city.poll();
        const waiting = await city.send("waiting", {}, hurry);
        await expect
          .poll(() => [...trial.statesOf(fetched), ...trial.statesOf(waiting)], patience)
          .toEqual(["unknown", "expired"]);
        expect(await city.texts()).toEqual([]);
      });

      test("a late receipt says what became of it", async () => {
        const city = await plugin();
        const id = await city.send("late", {}, hurry);
        await city.poll();
        await expect.poll(() => trial.statesOf(id), patience).toEqual(["unknown"]);
        expect(await city.report({ id, outcome: "done" })).toMatchObject({ accepted: 1 });
        await expect.poll(() => trial.statesOf(id), patience).toEqual(["unknown", "done"]);
        expect(await stateOf(get(), id)).toBe("done");
      });

      test("a receipt at the same moment wins, in either order", async () => {
        const city = await plugin();
        const ids: string[] = [];
        for (let i = 0; i < 12; i += 1) ids.push(await city.send(String(i)));
        await city.poll();
        const { db } = get().app.process.container.ports;
        await Promise.all(
          ids.flatMap((id) => [
            city.report({ id, outcome: "done" }),
            db.write("test.expire", async (tx) => await serviceOf(get()).expire(tx, id)),
          ]),
        );
        for (const id of ids) {
          expect(await stateOf(get(), id)).toBe("done");
          // The end at the deadline is not run any more when the receipt has replaced it before.
          await expect.poll(() => trial.statesOf(id).at(-1), patience).toBe("done");
          expect([["done"], ["unknown", "done"]]).toContainEqual(trial.statesOf(id));
        }
      });
    });

    test("a plugin that has fallen silent is a warning of the doctor for a day", async () => {
      const city = await plugin();
      const find = async () => (await serviceOf(get()).findings()).find(({ params }) => params["source"] === city.source);
      expect(await find()).toMatchObject({ id: "gamerequests.connected", state: "ok" });
      const { clock } = get().app.process.container.ports;
      const update = "update gamerequests_servers set last_polled_at = ? where source = ?";
      const polled = async (msAgo: number) => await sql(get(), update, [clock.now() - msAgo, city.source]);
      await polled(300_000);
      expect(await find()).toMatchObject({ id: "gamerequests.silent", state: "warning", params: { count: 5 } });
      await polled(25 * 3_600_000);
      expect(await find()).toMatchObject({ id: "gamerequests.gone", state: "ok", params: { hours: 25 } });
    });

    test("ended requests and gone game servers are removed, and none whose end is still to come", async () => {
      const { app } = get();
      const [city, gone] = [await plugin(), await plugin()];
      const [old, young, running] = [await city.send("old"), await city.send("young"), await city.send("running")];
      await city.poll();
      const waiting = await city.send("waiting");
      await city.report({ id: old, outcome: "done" }, { id: young, outcome: "refused" });
      const day = 86_400_000;
      const now = app.process.container.ports.clock.now();
      // As if no worker had been there for a week, which ends requests at their deadline.
      for (const id of [old, running, waiting])
        await sql(get(), "update gamerequests set kept_since = ? where id = ?", [now - 7 * day - 1, id]);
      await sql(get(), "update gamerequests_servers set last_polled_at = ? where source = ?", [now - 30 * day - 1, gone.source]);
      const removed = await app.process.assembly.retain("gamerequests.purge", { kind: "system", name: "test" });
      expect([removed.get("requests"), removed.get("servers")]).toEqual([1, 1]);
      const states = await Promise.all([old, young, running, waiting].map(async (id) => await stateOf(get(), id)));
      expect(states).toEqual([undefined, "refused", "delivered", "open"]);
    });
  },
  { ROLLCALL_SYNC_APITOKENS: `${testSecrets.sync},${otherToken}` },
  { features: [trial.feature] },
);

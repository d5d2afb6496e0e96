import { describe, expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { days, defineRetention } from "#core/contract/index.ts";
import type { Database, Metrics, Tx } from "#core/ports/index.ts";
import { bindRetention, type RemoveOld, RetentionFailed } from "#core/retention.ts";
import { createTestClock } from "#testkit/clock.ts";
import { noMetrics, recordingLog } from "#testkit/silence.ts";
import { createRetentionRunner } from "./retention.ts";

const actor: Actor = { kind: "system", name: "test" };
const retention = defineRetention({
  id: "people.purge",
  cron: "0 4 * * *",
  jitterMs: 0,
  steps: {
    people: { tables: ["people"], kept: { ms: days(30) }, atOnce: 100, audited: true },
    letters: { tables: ["people_letters"], kept: { setting: "letters" } },
    pictures: { tables: ["people_pictures"], kept: { ms: 0 }, atOnce: 10 },
  },
});

/** A number of rows, and the calls to delete them. */
function store(count: number) {
  const calls: { before: number; limit: number }[] = [];
  return { left: count, calls };
}

function under(people: RemoveOld, letters: RemoveOld, pictures: (before: number, limit: number) => Promise<number>) {
  const clock = createTestClock();
  const log = recordingLog();
  const units: string[] = [];
  let open = 0;
  const unit = async <T>(name: string, work: (tx: Tx) => Promise<T>) => {
    units.push(name);
    open += 1;
    return await work({} as Tx).finally(() => (open -= 1));
  };
  const db = { read: unit, write: unit } as unknown as Database;
  const entries: unknown[] = [];
  const counted: Record<string, number> = {};
  const metrics: Metrics = {
    ...noMetrics,
    counter: () => ({
      inc: (labels = {}, by = 1) => {
        const key = `${labels["feature"]}/${labels["kind"]}`;
        counted[key] = (counted[key] ?? 0) + by;
      },
    }),
  };
  const runner = createRetentionRunner({
    db,
    clock,
    log,
    metrics,
    record: async (_tx, by, entry) => void entries.push([by, entry]),
  });
  const handler = bindRetention(retention, {
    people,
    letters: { keptMs: async () => days(7), remove: letters },
    pictures: {
      removeApart: async (before, limit) => {
        expect(open).toBe(0);
        return await pictures(before, limit);
      },
    },
  });
  const reported: [string, number][] = [];
  const run = async (signal = new AbortController().signal) =>
    await runner.run(handler, actor, signal, (kind, count) => void reported.push([kind, count]));
  return { run, clock, units, entries, counted, reported, log };
}

/** Deletes from a store, at most `limit` at once. */
function deleting(from: ReturnType<typeof store>): RemoveOld {
  return async (_tx, before, limit) => {
    const count = Math.min(limit, from.left);
    from.left -= count;
    from.calls.push({ before, limit });
    return count;
  };
}
const apart = (from: ReturnType<typeof store>) => async (before: number, limit: number) =>
  await deleting(from)({} as Tx, before, limit);

describe("retention", () => {
  test("continues in small units of work until done, counts, and is safe to repeat", async () => {
    const [people, letters, pictures] = [store(250), store(500), store(7)];
    const { run, clock, units, entries, counted, reported } = under(deleting(people), deleting(letters), apart(pictures));
    const now = clock.now();
    expect([...(await run())]).toEqual([
      ["people", 250],
      ["letters", 500],
      ["pictures", 7],
    ]);
    expect(people.calls.map(({ before, limit }) => [before, limit])).toEqual([1, 2, 3].map(() => [now - days(30), 100]));
    // A full unit of work may have been the last one: it checks once more.
    expect(letters.calls.map(({ before, limit }) => [before, limit])).toEqual([1, 2].map(() => [now - days(7), 500]));
    expect(pictures.calls.map(({ before, limit }) => [before, limit])).toEqual([[now, 10]]);
    // Three of people, two of letters; pictures are deleted outside of them.
    expect(units.filter((name) => name === "people.purge")).toHaveLength(5);
    const until = new Date(now - days(30)).toISOString();
    expect(entries).toEqual(
      [100, 100, 50].map((count) => [actor, { action: "people.purge", info: { kind: "people", removed: count, until } }]),
    );
    expect(counted).toEqual({ "people/people": 250, "people/letters": 500, "people/pictures": 7 });
    expect(reported).toEqual([
      ["people", 250],
      ["letters", 500],
      ["pictures", 7],
    ]);
    expect([...(await run()).values()]).toEqual([0, 0, 0]);
    expect(entries).toHaveLength(3);
  });

  test("stops between two units when aborted, and reports what was deleted until then", async () => {
    const [people, letters, pictures] = [store(1000), store(1), store(1)];
    const stop = new AbortController();
    const { run, entries, reported } = under(
      async (tx, before, limit) => {
        if (people.left === 900) stop.abort();
        return await deleting(people)(tx, before, limit);
      },
      deleting(letters),
      apart(pictures),
    );
    expect([...(await run(stop.signal))]).toEqual([["people", 200]]);
    expect([people.left, letters.left, pictures.left]).toEqual([800, 1, 1]);
    expect(reported).toEqual([["people", 200]]);
    expect(entries).toMatchObject([100, 100].map((count) => [actor, { info: { kind: "people", removed: count } }]));
  });

  test("a failing step does not stop the others, and fails the run in the end with its name", async () => {
    const [people, letters, pictures] = [store(150), store(20), store(30)];
    const { run, entries, reported, log } = under(
      async (tx, before, limit) => {
        if (people.left < 100) throw new Error("the table is missing");
        return await deleting(people)(tx, before, limit);
      },
      deleting(letters),
      async () => {
        throw new Error("the disk is full");
      },
    );
    const failed = await run().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RetentionFailed);
    expect((failed as Error).message).toBe(
      "people.purge could not remove people: the table is missing; pictures: the disk is full",
    );
    expect([people.left, letters.left, pictures.left]).toEqual([50, 0, 30]);
    // What was deleted before the failure is reported too.
    expect(entries).toMatchObject([[actor, { info: { kind: "people", removed: 100 } }]]);
    expect(reported).toEqual([
      ["people", 100],
      ["letters", 20],
      ["pictures", 0],
    ]);
    expect(log.lines.filter(({ level }) => level === "error").map(({ fields }) => fields["kind"])).toEqual([
      "people",
      "pictures",
    ]);
  });
});

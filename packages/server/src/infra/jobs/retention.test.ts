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
  schedule: "0 4 * * *",
  jitterMs: 0,
  steps: {
    people: { tables: ["people"], kept: { ms: days(30) }, atOnce: 100, audited: true },
    letters: { tables: ["people_letters"], kept: { setting: "letters" } },
    pictures: { tables: ["people_pictures"], kept: { ms: 0 }, atOnce: 10 },
  },
});

/** Rows that are there, and what was asked of them. */
function shelf(count: number) {
  const asked: { before: number; limit: number }[] = [];
  return { left: count, asked };
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
  const told: [string, number][] = [];
  const run = async (signal = new AbortController().signal) =>
    await runner.run(handler, actor, signal, (kind, count) => void told.push([kind, count]));
  return { run, clock, units, entries, counted, told, log };
}

/** Takes from a shelf, at most `limit` at once. */
function taking(from: ReturnType<typeof shelf>): RemoveOld {
  return async (_tx, before, limit) => {
    const count = Math.min(limit, from.left);
    from.left -= count;
    from.asked.push({ before, limit });
    return count;
  };
}
const apart = (from: ReturnType<typeof shelf>) => async (before: number, limit: number) =>
  await taking(from)({} as Tx, before, limit);

describe("retention", () => {
  test("goes on in small units of work until done, counts, and is safe to repeat", async () => {
    const [people, letters, pictures] = [shelf(250), shelf(500), shelf(7)];
    const { run, clock, units, entries, counted, told } = under(taking(people), taking(letters), apart(pictures));
    const now = clock.now();
    expect([...(await run())]).toEqual([
      ["people", 250],
      ["letters", 500],
      ["pictures", 7],
    ]);
    expect(people.asked.map(({ before, limit }) => [before, limit])).toEqual([1, 2, 3].map(() => [now - days(30), 100]));
    // As many as fit may be all there was: it looks once more.
    expect(letters.asked.map(({ before, limit }) => [before, limit])).toEqual([1, 2].map(() => [now - days(7), 500]));
    expect(pictures.asked.map(({ before, limit }) => [before, limit])).toEqual([[now, 10]]);
    // Three of people, two of letters; pictures go outside of them.
    expect(units.filter((name) => name === "people.purge")).toHaveLength(5);
    const until = new Date(now - days(30)).toISOString();
    expect(entries).toEqual(
      [100, 100, 50].map((count) => [actor, { action: "people.purge", info: { kind: "people", removed: count, until } }]),
    );
    expect(counted).toEqual({ "people/people": 250, "people/letters": 500, "people/pictures": 7 });
    expect(told).toEqual([
      ["people", 250],
      ["letters", 500],
      ["pictures", 7],
    ]);
    expect([...(await run()).values()]).toEqual([0, 0, 0]);
    expect(entries).toHaveLength(3);
  });

  test("stops between two units when it is told to, and says what went until then", async () => {
    const [people, letters, pictures] = [shelf(1000), shelf(1), shelf(1)];
    const stop = new AbortController();
    const { run, entries, told } = under(
      async (tx, before, limit) => {
        if (people.left === 900) stop.abort();
        return await taking(people)(tx, before, limit);
      },
      taking(letters),
      apart(pictures),
    );
    expect([...(await run(stop.signal))]).toEqual([["people", 200]]);
    expect([people.left, letters.left, pictures.left]).toEqual([800, 1, 1]);
    expect(told).toEqual([["people", 200]]);
    expect(entries).toMatchObject([100, 100].map((count) => [actor, { info: { kind: "people", removed: count } }]));
  });

  test("a step that fails stops no other, and fails the run in the end with its name", async () => {
    const [people, letters, pictures] = [shelf(150), shelf(20), shelf(30)];
    const { run, entries, told, log } = under(
      async (tx, before, limit) => {
        if (people.left < 100) throw new Error("the table is away");
        return await taking(people)(tx, before, limit);
      },
      taking(letters),
      async () => {
        throw new Error("the disk is full");
      },
    );
    const failed = await run().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RetentionFailed);
    expect((failed as Error).message).toBe("people.purge could not remove people: the table is away; pictures: the disk is full");
    expect([people.left, letters.left, pictures.left]).toEqual([50, 0, 30]);
    // What went before it failed is told all the same.
    expect(entries).toMatchObject([[actor, { info: { kind: "people", removed: 100 } }]]);
    expect(told).toEqual([
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

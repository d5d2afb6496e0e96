import { InfiniteQueryObserver, QueryClient, QueryObserver, type QueryKey } from "@tanstack/react-query";
import { afterEach, describe, expect, it } from "vitest";
import type { EventTopic, Page, Position } from "@rollcall/server/contract/core";
import { settle, testClock } from "#core/testkit.ts";
import { createAnswers } from "./answers.ts";
import type { Versioned } from "./merge.ts";
import { notePosition } from "./positions.ts";
import type { TopicListener } from "./topics.ts";

interface Row extends Versioned {
  readonly name: string;
}

const operation = (id: string, path: string) => ({ id, path }) as never;
const list = operation("cars.list", "/api/cars");
const get = operation("cars.get", "/api/cars/:id");
const whole = { name: "cars", kind: "event", carries: { answers: [list, get] } } as unknown as EventTopic;
const ofOne = { name: "cars/:id", kind: "event", invalidates: { answers: [get] } } as unknown as EventTopic;
const pictures = { name: "pictures", kind: "event", invalidates: { answers: [list], holding: true } } as unknown as EventTopic;
const compare = (a: Row, b: Row) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A cache and a topic, without a server: `stored` is what calls answer, `calls` counts them. */
function place() {
  const clock = testClock();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  const listeners = new Map<string, TopicListener>();
  const asked: { name: string; after: Position | undefined }[] = [];
  const topics = {
    listen(name: string, listener: TopicListener, after?: Position) {
      asked.push({ name, after });
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
  };
  const answers = createAnswers({ queries, topics, clock });
  const stored = new Map<number, Row>([1, 2, 3].map((id) => [id, { id, version: 1, name: "abc"[id - 1]! }]));
  let calls = 0;
  const position = { epoch: "e", seq: 10 };
  let onWay: Promise<void> | null = null;
  const read = async <T>(queryKey: QueryKey, answer: () => T): Promise<T> => {
    calls += 1;
    const now = answer();
    const at = { ...position };
    await settle();
    await onWay;
    notePosition(queries, queryKey, at);
    return now;
  };
  const open = (observer: { subscribe(listener: () => void): () => void }) => {
    const close = observer.subscribe(() => undefined);
    stops.push(close);
    return close;
  };
  stops.push(() => answers.stop());
  return {
    answers,
    asked,
    clock,
    queries,
    stored,
    position,
    calls: () => calls,
    /** Answers that were computed stay on their way until the returned function is called. */
    delay() {
      let arrive = () => {};
      onWay = new Promise((done) => (arrive = done));
      return () => {
        onWay = null;
        arrive();
      };
    },
    openOne: (id: number) =>
      open(
        new QueryObserver(queries, {
          queryKey: ["cars.get", { params: { id } }],
          queryFn: ({ queryKey }) => read(queryKey, () => stored.get(id) ?? null),
        }),
      ),
    openList: () =>
      open(
        new InfiniteQueryObserver(queries, {
          queryKey: ["cars.list", {}],
          initialPageParam: null as string | null,
          queryFn: ({ queryKey }) =>
            read(queryKey, (): Page<Row> => ({
              items: [...stored.values()],
              next: null,
              total: stored.size,
              totalCapped: false,
            })),
          getNextPageParam: (last: Page<Row>) => last.next,
        }),
      ),
    openAll: (name: string) =>
      open(
        new QueryObserver(queries, {
          queryKey: [name, {}],
          queryFn: ({ queryKey }) => read(queryKey, () => ({ items: [...stored.values()] })),
        }),
      ),
    one: (id: number) => queries.getQueryData<Row>(["cars.get", { params: { id } }]),
    names: () =>
      queries
        .getQueryData<{ pages: Page<Row>[] }>(["cars.list", {}])
        ?.pages.flatMap(({ items }) => items.map(({ name }) => name)),
    async say(name: string, data: unknown, seq: number, epoch = "e") {
      listeners.get(name)?.onEvent(data, { epoch, seq });
      await clock.advance(50);
    },
    async snapshot(name: string, at: Position | null, isOfServer = false) {
      listeners.get(name)?.onSnapshot(at, isOfServer);
      await clock.advance(2_000);
    },
  };
}

const items = (...rows: (Row & { deleted?: boolean })[]) => ({ items: rows.map((row) => ({ deleted: false, ...row })) });

describe("an answer that a topic carries", () => {
  it("subscribes behind what the answer on its way holds, so that nothing is read twice", async () => {
    const { answers, asked, openOne, clock, calls } = place();
    openOne(1);
    answers.follow(whole);
    expect(asked).toEqual([]);
    await clock.advance(10);
    expect(asked).toEqual([{ name: "cars", after: { epoch: "e", seq: 10 } }]);
    expect(calls()).toBe(1);
  });

  it("is current without another call, also where it is shown a second time", async () => {
    const { answers, openOne, clock, calls, one, say } = place();
    openOne(1);
    answers.follow(whole);
    await clock.advance(10);
    await say("cars", items({ id: 1, version: 2, name: "new" }), 11);
    expect(one(1)?.name).toBe("new");
    openOne(1);
    answers.follow(whole);
    await clock.advance(10);
    expect(one(1)?.name).toBe("new");
    expect(calls()).toBe(1);
  });

  it("that was closed is followed again from where it stood", async () => {
    const { answers, asked, openOne, clock, say } = place();
    const close = openOne(1);
    const unfollow = answers.follow(whole);
    await clock.advance(10);
    await say("cars", items({ id: 1, version: 2, name: "new" }), 12);
    unfollow();
    close();
    openOne(1);
    answers.follow(whole);
    await clock.advance(10);
    expect(asked.at(-1)).toEqual({ name: "cars", after: { epoch: "e", seq: 12 } });
  });

  it("does not go back to what an answer held that was on its way", async () => {
    const { answers, openOne, openList, clock, names, say } = place();
    openOne(1);
    answers.follow(whole);
    await clock.advance(10);
    openList();
    answers.show<Row>('["cars.list",{}]', { compare, visible: () => [0, 0] });
    await say("cars", items({ id: 1, version: 2, name: "ab" }), 11);
    expect(names()).toEqual(["ab", "b", "c"]);
  });

  it("says that its object was deleted, until a restored one arrives", async () => {
    const { answers, openOne, clock, say } = place();
    openOne(1);
    answers.follow(whole);
    await clock.advance(10);
    await say("cars", items({ id: 1, version: 2, name: "a", deleted: true }), 11);
    expect(answers.deleted.get().size).toBe(1);
    await say("cars", items({ id: 1, version: 3, name: "a" }), 12);
    expect(answers.deleted.get().size).toBe(0);
  });

  it("is read again after another epoch began, whatever its version was", async () => {
    const { answers, openOne, clock, stored, position, one, say, snapshot } = place();
    openOne(1);
    answers.follow(whole);
    await clock.advance(10);
    await say("cars", items({ id: 1, version: 9, name: "later" }), 11);
    position.epoch = "f";
    stored.set(1, { id: 1, version: 4, name: "restored" });
    await snapshot("cars", { epoch: "f", seq: 1 });
    expect(one(1)).toEqual({ id: 1, version: 4, name: "restored" });
  });
});

describe("a list that a topic carries", () => {
  it("shows a hundred changes of rows without being read again", async () => {
    const { answers, openList, clock, calls, names, say } = place();
    openList();
    answers.show<Row>('["cars.list",{}]', { compare, visible: () => [0, 0] });
    answers.follow(whole);
    await clock.advance(10);
    for (let n = 0; n < 100; n += 1) await say("cars", items({ id: 2, version: n + 2, name: n % 2 ? "b" : "z" }), 11 + n);
    await say("cars", items({ id: 2, version: 200, name: "z" }), 200);
    await clock.advance(200_000);
    expect(names()).toEqual(["a", "c", "z"]);
    expect(calls()).toBe(1);
  });

  it("is asked for at most three times a minute where only the server knows which rows belong", async () => {
    const { answers, openList, clock, calls, say } = place();
    openList();
    answers.show<Row>('["cars.list",{}]', { matches: () => null, visible: () => [0, 0] });
    answers.follow(whole);
    await clock.advance(10);
    for (let n = 0; n < 100; n += 1) {
      await say("cars", items({ id: 50 + n, version: 2, name: "q" }), 11 + n);
      await clock.advance(550);
    }
    expect(calls()).toBeGreaterThan(1);
    expect(calls()).toBeLessThanOrEqual(4);
  });
});

describe("an answer that a topic makes stale", () => {
  it("is read again once for many messages, and only that of the topic's object", async () => {
    const { answers, openOne, clock, stored, calls, one, say } = place();
    openOne(1);
    openOne(2);
    answers.follow(ofOne, 1);
    await clock.advance(10);
    stored.set(1, { id: 1, version: 2, name: "new" });
    for (let n = 0; n < 5; n += 1) await say("cars/1", { id: 1 }, 11 + n);
    await clock.advance(5_000);
    expect(one(1)?.name).toBe("new");
    expect(calls()).toBe(3);
  });

  it("stays when it holds the change, or lacks the object", async () => {
    const { answers, openList, clock, calls, say } = place();
    openList();
    answers.follow(pictures);
    await clock.advance(10);
    await say("pictures", { id: 1 }, 10);
    await say("pictures", { id: 77 }, 11);
    await clock.advance(5_000);
    expect(calls()).toBe(1);
    await say("pictures", { id: 1 }, 12);
    await clock.advance(5_000);
    expect(calls()).toBe(2);
  });

  it("is read again after other rights, though they came before the event that gave them", async () => {
    const { answers, openList, clock, calls, position, snapshot } = place();
    openList();
    answers.follow(pictures);
    await clock.advance(10);
    await snapshot("pictures", position);
    expect(calls()).toBe(1);
    await snapshot("pictures", position, true);
    expect(calls()).toBe(2);
  });

  it.each(["of one object", "of the objects that an answer holds"])("is read again if it was on its way: %s", async (kind) => {
    const { answers, openOne, openList, clock, stored, one, names, say, delay } = place();
    const [topic, name] = kind === "of one object" ? [ofOne, "cars/1"] : [pictures, "pictures"];
    answers.follow(topic, kind === "of one object" ? 1 : undefined);
    await clock.advance(10);
    const arrive = delay();
    if (topic === ofOne) openOne(1);
    else openList();
    await settle();
    stored.set(1, { id: 1, version: 2, name: "new" });
    await say(name, { id: 1 }, 11);
    await clock.advance(5_000);
    arrive();
    await settle();
    await clock.advance(5_000);
    expect(topic === ofOne ? one(1)?.name : names()?.[0]).toBe("new");
  });

  it("is read again when it is shown the next time, if it is not on screen", async () => {
    const { answers, openOne, clock, calls, say, queries } = place();
    const close = openOne(1);
    answers.follow(ofOne, 1);
    await clock.advance(10);
    close();
    await say("cars/1", { id: 1 }, 11);
    await clock.advance(5_000);
    expect(calls()).toBe(1);
    expect(queries.getQueryState(["cars.get", { params: { id: 1 } }])?.isInvalidated).toBe(true);
  });
});

describe("an answer that a topic completes before it is read again", () => {
  const present = operation("cars.present", "/api/present");
  const previewing = {
    name: "present",
    kind: "event",
    invalidates: { answers: [present] },
    previews: { answers: [present] },
  } as unknown as EventTopic;

  function opened() {
    const placed = place();
    const { openAll, queries } = placed;
    openAll("cars.present");
    const names = () => queries.getQueryData<{ items: Row[] }>(["cars.present", {}])?.items.map(({ name }) => name);
    return { ...placed, names };
  }

  it("shows a new object at once, and what the server says of it afterwards", async () => {
    const { answers, clock, stored, say, names, calls } = opened();
    answers.follow(previewing);
    await clock.advance(10);
    stored.set(4, { id: 4, version: 1, name: "d as read" });
    await say("present", { created: [{ id: 4, version: 1, name: "d" }] }, 11);
    expect(names()).toEqual(["a", "b", "c", "d"]);
    expect(calls()).toBe(1);
    await clock.advance(2_000);
    expect(names()).toEqual(["a", "b", "c", "d as read"]);
    expect(calls()).toBe(2);
  });

  it("keeps what it knows of an object that it has, and does nothing while nothing is known", async () => {
    const { answers, clock, say, names, queries, delay } = opened();
    answers.follow(previewing);
    await clock.advance(10);
    await say("present", { created: [{ id: 2, version: 1, name: "older" }] }, 11);
    expect(names()).toEqual(["a", "b", "c"]);
    await clock.advance(2_000);
    const arrive = delay();
    void queries.resetQueries({ queryKey: ["cars.present"] });
    await say("present", { created: [{ id: 5, version: 1, name: "e" }] }, 12);
    expect(names()).toBeUndefined();
    arrive();
  });
});

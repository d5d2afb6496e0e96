import { expect, it } from "vitest";
import { defineNotification, type NotificationDefinition, type PayloadOf } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import { maxPayloadBytes, type Tx } from "#core/ports/index.ts";
import { createOutbox } from "#infra/outbox/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import type { NewNotification } from "./notifications.api.ts";
import { BrowserDelivery } from "./notifications.browser.service.ts";
import type { notificationsSent } from "./notifications.contract.ts";
import * as repo from "./notifications.repo.ts";
import type { NotificationTables } from "./notifications.schema.ts";
import * as sending from "./notifications.send.repo.ts";
import { NotificationSender } from "./notifications.send.service.ts";

const everyMs = 60_000;
const plain = defineNotification({ id: "x.plain", tone: "info", params: ["name"], channels: ["bell", "toast"] });
const other = defineNotification({ ...plain, id: "x.other" });
const digest = defineNotification({ ...plain, id: "x.digest", digest: { everyMs } });

type Sent = PayloadOf<typeof notificationsSent>;

describeDatabases("sending notifications", (get) => {
  /** Of this test: reads, writes and what was emitted, in order. */
  function setUp() {
    const { db, clock, ids } = get();
    const outbox = createOutbox({ clock, ids });
    const sender = new NotificationSender({ clock, ids, deliveries: () => [new BrowserDelivery(outbox)] });
    const send = async (kind: NotificationDefinition, wanted: readonly NewNotification[]) =>
      await db.write("test.send", async (tx) => await sender.send(tx, kind, wanted));
    const rows = async () =>
      await db.read("test.rows", async (tx) =>
        queries<NotificationTables>(tx).selectFrom("notifications").selectAll().orderBy("id").execute(),
      );
    const events = async () => {
      type Outbox = { outbox_events: { id: number; payload: string } };
      const stored = await db.read("test.events", async (tx) =>
        queries<Outbox>(tx).selectFrom("outbox_events").select("payload").orderBy("id").execute(),
      );
      return stored.map(({ payload }) => JSON.parse(payload) as Sent);
    };
    const choose = async (accountId: number, kind: string, channel: string, chosen: 0 | 1) =>
      await db.write("test.choose", async (tx) => await repo.choose(tx, accountId, [{ kind, channel, chosen }]));
    const read = async (accountId: number) =>
      await db.write("test.markRead", async (tx: Tx) =>
        repo.markRead(tx, { accountId, characterId: 0 }, { upTo: Number.MAX_SAFE_INTEGER }, clock.now()),
      );
    return { db, clock, sender, send, rows, events, choose, read };
  }

  const many = (count: number, more: Partial<NewNotification> = {}) => {
    const params = { name: "Mara" };
    return Array.from({ length: count }, (_one, i) => ({ accountId: i + 1, params, link: "/x", ...more }));
  };

  it.each([1, 2, 999, 1_000, 1_001, 5_000])("to %i accounts takes few statements", async (count) => {
    const { statements } = get();
    const { clock, send, events, choose } = setUp();
    await choose(1, plain.id, "bell", 0);
    const chunks = Math.ceil(count / 1_000);
    // The last ones are the events.
    const most = chunks + 3 + chunks;
    expect(await statements.during(async () => await send(plain, many(count)))).toBeLessThanOrEqual(most);
    for (const key of ["first", "first"])
      expect(await statements.during(async () => await send(plain, many(count, { key })))).toBeLessThanOrEqual(most);
    for (const later of [0, 1, everyMs]) {
      clock.step(later);
      expect(await statements.during(async () => await send(digest, many(count)))).toBeLessThanOrEqual(most);
    }
    const payloads = await events();
    expect(payloads).toHaveLength(6 * chunks);
    expect(Math.max(...payloads.map((one) => JSON.stringify(one).length))).toBeLessThan(maxPayloadBytes);
  });

  it("gives each person the id of the own row, with the own choices", async () => {
    const { send, rows, events, choose } = setUp();
    await choose(2, plain.id, "bell", 0);
    await choose(2, other.id, "toast", 0);
    await choose(3, plain.id, "sound", 1);
    const name = (accountId: number) => ({ name: `of ${accountId}` });
    const wanted = [5, 3, 2, 4, 1].map((accountId) => ({ accountId, params: name(accountId), link: `/${accountId}` }));
    await send(plain, [...wanted, { accountId: 2, characterId: 7, params: name(2), link: "/2" }]);
    const stored = await rows();
    const to = (await events()).flatMap((payload) => payload.to.map((entry) => ({ ...payload, ...entry })));
    expect(to).toHaveLength(6);
    for (const { id, accountId, characterId, params, link, channels } of to) {
      const row = stored.find((one) => one.id === id);
      expect(row).toMatchObject({ account_id: accountId, character_id: characterId ?? null, link: `/${accountId}`, count: 1 });
      expect([JSON.parse(row!.params), params, link]).toEqual([name(accountId), name(accountId), `/${accountId}`]);
      const expected = { 2: ["toast"], 3: ["bell", "toast", "sound"] }[accountId] ?? ["bell", "toast"];
      expect([accountId, channels, row!.read_at === null]).toEqual([accountId, expected, accountId !== 2]);
    }
  });

  it("keeps events below their limit, also when everybody has long params", async () => {
    const { send, events } = setUp();
    const long = many(800).map((one) => ({ ...one, params: { name: `${one.accountId} ${"ä".repeat(500)}` } }));
    await send(plain, long);
    const payloads = await events();
    expect(payloads.length).toBeGreaterThan(3);
    expect(payloads.flatMap(({ to }) => to.map(({ accountId }) => accountId))).toEqual(long.map(({ accountId }) => accountId));
    for (const payload of payloads) expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThanOrEqual(maxPayloadBytes);
  });

  it("with a key takes the place of the unread one of the same account, character, kind and key", async () => {
    const { send, rows, events } = setUp();
    const to = (accountId: number, name: string, more: Partial<NewNotification> = {}) => ({
      accountId,
      params: { name },
      key: "room/5",
      ...more,
    });
    await send(plain, [to(1, "one message"), to(2, "one message"), to(1, "for Ada", { characterId: 7 })]);
    await send(plain, [to(1, "other room", { key: "room/6" })]);
    await send(other, [to(1, "other kind")]);
    const first = (await rows()).find(({ account_id, params }) => account_id === 1 && params.includes("one message"));
    await send(plain, [to(1, "2 messages"), to(3, "one message")]);
    const names = (await rows()).map(
      ({ account_id, params }) => `${account_id} ${(JSON.parse(params) as { name: string }).name}`,
    );
    expect(names.toSorted()).toEqual(
      ["1 2 messages", "1 for Ada", "1 other kind", "1 other room", "2 one message", "3 one message"].toSorted(),
    );
    const last = (await events()).at(-1)!;
    expect(last.to.map(({ accountId, replaced }) => [accountId, replaced])).toEqual([
      [1, first!.id],
      [3, undefined],
    ]);
    expect(last.to[0]!.id).toBeGreaterThan(first!.id);
  });

  it("to more accounts than one condition can name still touches only theirs", async () => {
    const { statements } = get();
    const { send, rows, events, choose } = setUp();
    const outsider = { accountId: 50_000, params: { name: "stays" }, key: "k" };
    await send(plain, [outsider]);
    await choose(outsider.accountId, plain.id, "bell", 0);
    await choose(9, plain.id, "bell", 0);
    const count = 10_001;
    await send(plain, many(count, { key: "k" }));
    const again = async () => await send(plain, many(count, { key: "k", params: { name: "again" } }));
    expect(await statements.during(again)).toBeLessThanOrEqual(2 * Math.ceil(count / 1_000) + 3);
    const stored = await rows();
    expect(stored).toHaveLength(count + 1);
    expect(stored.filter(({ params }) => !params.includes("again")).map(({ account_id }) => account_id)).toEqual([50_000]);
    expect(stored.filter(({ read_at }) => read_at !== null).map(({ account_id }) => account_id)).toEqual([9]);
    const sent = (await events()).slice(-11).flatMap(({ to }) => to);
    expect(sent.filter(({ replaced }) => replaced === undefined)).toEqual([]);
    expect(new Set(sent.map(({ replaced }) => replaced)).size).toBe(count);
  });

  it("to as many accounts, begins a new digest beside all that are over", async () => {
    const { statements } = get();
    const { clock, send, rows } = setUp();
    const count = 10_001;
    await send(digest, many(count));
    clock.step(everyMs);
    const again = async () => await send(digest, many(count));
    expect(await statements.during(again)).toBeLessThanOrEqual(2 * Math.ceil(count / 1_000) + 3);
    const stored = await rows();
    expect([stored.length, stored.filter(({ replace_key }) => replace_key === null).length]).toEqual([2 * count, count]);
  });

  it("keeps what was read, and what an older program marked as read", async () => {
    const { db, clock, send, rows, read } = setUp();
    const note = (name: string) => [{ accountId: 1, params: { name }, key: "k" }];
    await send(plain, note("first"));
    await read(1);
    await send(plain, note("second"));
    clock.step(1_000);
    await db.write("test.older", async (tx) => {
      await queries<NotificationTables>(tx)
        .updateTable("notifications")
        .set({ read_at: clock.now() })
        .where("read_at", "is", null)
        .execute();
    });
    await send(plain, note("third"));
    expect((await rows()).map(({ params, read_at }) => [params, read_at !== null])).toEqual([
      ['{"name":"first"}', true],
      ['{"name":"second"}', true],
      ['{"name":"third"}', false],
    ]);
  });

  it("accepts the rows of an older program", async () => {
    const { db, rows } = setUp();
    await db.write("test.older", async (tx) => {
      const row = { account_id: 1, character_id: null, kind: "x.plain", params: "{}", link: null, at: 1, read_at: null };
      for (const _twice of [1, 2]) await queries<NotificationTables>(tx).insertInto("notifications").values(row).execute();
    });
    expect((await rows()).map(({ count, replace_key }) => [count, replace_key])).toEqual([
      [1, null],
      [1, null],
    ]);
  });

  it("of a kind with a digest are one with their number, for its time", async () => {
    const { clock, send, rows, events, read } = setUp();
    const note = (name: string) => [{ accountId: 1, params: { name } }];
    const seen = async () => (await rows()).map(({ params, count }) => [(JSON.parse(params) as { name: string }).name, count]);
    await send(digest, note("a"));
    clock.step(everyMs - 1);
    await send(digest, [...note("b"), ...note("c")]);
    expect(await seen()).toEqual([["c", 3]]);
    expect((await events()).at(-1)!.to[0]).toMatchObject({ count: 3 });
    clock.step(1);
    await send(digest, note("d"));
    expect(await seen()).toEqual([
      ["c", 3],
      ["d", 1],
    ]);
    await read(1);
    await send(digest, note("e"));
    await send(digest, note("f"));
    expect((await seen()).slice(2)).toEqual([["f", 2]]);
  });

  it("of many units of work at once, each counts those before it", async () => {
    const { db, sender, rows, events } = setUp();
    const note = [{ accountId: 1, params: { name: "x" } }];
    await Promise.all(
      Array.from({ length: 6 }, async () => await db.write("test.race", async (tx) => await sender.send(tx, digest, note))),
    );
    expect((await rows()).map(({ count }) => count)).toEqual([6]);
    const sent = (await events()).flatMap(({ to }) => to);
    expect(sent.flatMap(({ replaced }) => replaced ?? [])).toEqual(sent.slice(0, -1).map(({ id }) => id));
  });

  it.each([1, 2])("two that both found nothing to replace do not remove the other's %i unseen", async (persons) => {
    const { db, rows } = setUp();
    const accountIds = Array.from({ length: persons }, (_one, i) => i + 1);
    const replacing = { kind: plain.id, accountIds, keys: ["k"], expired: -1 };
    const bothRead = Promise.withResolvers<void>();
    const found: number[] = [];
    const write = async (batch: string) =>
      await db.write("test.both", async (tx) => {
        const { previous } = await sending.choicesAndPrevious(tx, replacing);
        found.push(previous.length);
        // SQLite has one writer: the second one begins after the first.
        if (found.length === 2 || db.kind === "sqlite") bothRead.resolve();
        await bothRead.promise;
        const row = { kind: plain.id, params: "{}", link: null, at: 1, read_at: null, character_id: null, since: null };
        const keyed = { ...row, batch, replace_key: "k", replace_character: 0, count: previous.length + 1 };
        const keyedRows = accountIds.map((account_id) => ({ ...keyed, account_id }));
        await sending.store(tx, keyedRows, previous.length);
      });
    await Promise.all([write("a"), write("b")]);
    expect(found).toEqual(db.kind === "sqlite" ? [0, persons] : [0, 0, persons]);
    expect((await rows()).map(({ count }) => count)).toEqual(accountIds.map(() => persons + 1));
  });
});

import { expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { queries } from "#core/db/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import { AuditRecorder } from "./audit.record.service.ts";
import { AuditSearch } from "./audit.search.service.ts";
import type { AuditTables } from "./audit.schema.ts";

const minute = 60_000;
const unknown = { action: "auth.login", result: "denied", info: { why: "unknown user name" } } as const;
const known = (id: number) => ({ ...unknown, object: { kind: "account", id }, info: { why: "wrong password" } }) as const;

describeDatabases("refusals of anonymous clients", (get) => {
  const from = (address: string): Actor => ({ kind: "anonymous", address, traceId: "0123456789abcdef", userAgent: "Firefox/1" });
  const newRecorder = () => {
    const { db, clock } = get();
    return new AuditRecorder({
      db,
      clock,
      log: silentLog,
      declares: () => true,
      declaresObject: () => true,
      search: new AuditSearch(),
    });
  };
  const entries = async () =>
    await get().db.read("test", async (tx) => {
      const rows = queries<AuditTables>(tx).selectFrom("audit_entries").selectAll().orderBy("id");
      return (await rows.execute()).map(({ address, folded, object_id, target_id }) => ({
        address,
        folded,
        object_id,
        target_id,
      }));
    });
  const words = async () =>
    await get().db.read("test", async (tx) => {
      const rows = await queries<AuditTables>(tx).selectFrom("audit_words").select("text").execute();
      return rows.map(({ text }) => text);
    });
  const nothing = { object_id: null, target_id: null };

  test("those of one network within a minute are one entry, without words; the next minute begins another", async () => {
    const recorder = newRecorder();
    for (let i = 1; i <= 5; i += 1) await recorder.noteRefused(from(`2001:db8:1:2::${i}`), unknown);
    await recorder.noteRefused(from("203.0.113.7"), unknown);
    expect((await entries()).map(({ folded }) => folded)).toEqual([1, 1]);
    await get().clock.advance(minute);
    await recorder.flush();
    expect(await entries()).toEqual([
      { ...nothing, address: "2001:db8:1:2::/64", folded: 5 },
      { ...nothing, address: "203.0.113.7", folded: 1 },
    ]);
    await recorder.noteRefused(from("2001:db8:1:2::6"), unknown);
    await recorder.flush();
    expect(await entries()).toHaveLength(3);
    expect(await words()).toEqual([]);
  });

  test("those of many networks are 20 entries and one for all others, and every refusal is counted", async () => {
    const recorder = newRecorder();
    await Promise.all(
      Array.from({ length: 500 }, async (_none, i) => await recorder.noteRefused(from(`10.${i % 250}.${i}.1`), unknown)),
    );
    await recorder.flush();
    const all = await entries();
    expect(all).toHaveLength(21);
    expect(all.reduce((sum, { folded }) => sum + folded, 0)).toBe(500);
    expect(all.filter(({ address }) => address === null)).toEqual([{ ...nothing, address: null, folded: 480 }]);
    expect(await words()).toEqual([]);
  });

  test("each account has its own entries, which a flood about unknown user names does not displace", async () => {
    const recorder = newRecorder();
    for (let i = 0; i < 30; i += 1) await recorder.noteRefused(from(`10.1.${i}.1`), unknown);
    for (let i = 0; i < 100; i += 1) await recorder.noteRefused(from(`10.2.${i}.1`), known(7));
    await recorder.noteRefused(from("10.3.1.1"), known(8));
    await recorder.flush();
    const about = (await entries()).filter(({ object_id }) => object_id !== null);
    const seven = about.filter(({ target_id }) => target_id === 7);
    expect(seven).toHaveLength(6);
    expect(seven.filter(({ address }) => address === null)).toEqual([
      { address: null, folded: 95, object_id: "7", target_id: 7 },
    ]);
    expect(seven.reduce((sum, { folded }) => sum + folded, 0)).toBe(100);
    expect(about.at(-1)).toEqual({ address: "10.3.1.1", folded: 1, object_id: "8", target_id: 8 });
    expect(await words()).toEqual(expect.arrayContaining(["login", "wrong", "password"]));
  });

  test("200 accounts a minute have their own entries, and the others are counted for the network", async () => {
    const recorder = newRecorder();
    const flood = async (from1: number) =>
      await Promise.all(
        Array.from({ length: 1000 }, async (_none, i) => await recorder.noteRefused(from("203.0.113.7"), known(from1 + i))),
      );
    await flood(1);
    await flood(1);
    await recorder.noteRefused(from("203.0.113.8"), known(2000));
    await recorder.flush();
    const all = await entries();
    expect(all).toHaveLength(202);
    expect(all.reduce((sum, { folded }) => sum + folded, 0)).toBe(2001);
    expect(all.filter(({ object_id }) => object_id === null)).toEqual([
      { ...nothing, address: "203.0.113.7", folded: 1600 },
      { ...nothing, address: "203.0.113.8", folded: 1 },
    ]);
    await recorder.noteRefused(from("203.0.113.8"), known(2000));
    expect((await entries()).at(-1)).toEqual({ address: "203.0.113.8", folded: 1, object_id: "2000", target_id: 2000 });
    await recorder.flush();
  });

  test("one account under attack does not displace entries of others, and has entries with an address again after the minute", async () => {
    const recorder = newRecorder();
    for (let i = 0; i < 1000; i += 1) await recorder.noteRefused(from(`10.${i % 250}.${i % 240}.1`), known(7));
    for (let i = 1; i <= 5; i += 1) await recorder.noteRefused(from(`10.4.${i}.1`), known(8));
    const of = async (id: number) => (await entries()).filter(({ target_id }) => target_id === id);
    expect((await of(8)).map(({ address }) => address)).toEqual([1, 2, 3, 4, 5].map((i) => `10.4.${i}.1`));
    await get().clock.advance(minute);
    await recorder.noteRefused(from("10.5.1.1"), known(7));
    await recorder.flush();
    expect((await of(7)).at(-1)?.address).toBe("10.5.1.1");
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Broker, MessageTooLarge, RevisionConflict, maxMessageBytes } from "#core/ports/index.ts";
import { bytes, Collector, type Harness, testedBrokers, text } from "./broker.testkit.ts";

describe.each(await testedBrokers())("buckets on $name", { timeout: 20_000 }, ({ harness }) => {
  /** The broker under test; a test that restarts it sets the new one. */
  const at = {} as { harness: Harness; broker: Broker };
  beforeEach(async () => {
    at.harness = harness();
    at.broker = await at.harness.open();
  });
  afterEach(() => at.harness.dispose());

  it("write, read and delete with growing revisions, under any key", async () => {
    const bucket = await at.broker.bucket("things");
    const keys = ["plain", "a.b", "license:0123 äö/*>", "..", "=41"];
    let last = 0;
    for (const key of keys) {
      const revision = await bucket.put(key, bytes(`v ${key}`));
      expect(revision).toBeGreaterThan(last);
      last = revision;
      expect(await bucket.get(key)).toMatchObject({ key, revision });
      expect(text((await bucket.get(key))?.value ?? null)).toBe(`v ${key}`);
    }
    expect((await bucket.keys()).sort()).toEqual([...keys].sort());
    await bucket.delete("plain");
    await bucket.delete("never there");
    expect(await bucket.get("plain")).toBeNull();
    expect(await bucket.keys()).not.toContain("plain");
    await expect(bucket.put("", bytes("x"))).rejects.toThrow(RangeError);
    await expect(bucket.put("big", new Uint8Array(maxMessageBytes + 1))).rejects.toThrow(MessageTooLarge);
  });

  it("let exactly one of many succeed with a create and an update", async () => {
    const bucket = await at.broker.bucket("races");
    const created = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => bucket.create("k", bytes(`${i}`))));
    const winners = created.filter((r) => r.status === "fulfilled");
    expect(winners).toHaveLength(1);
    for (const r of created) if (r.status === "rejected") expect(r.reason).toBeInstanceOf(RevisionConflict);
    const { revision } = (await bucket.get("k")) ?? { revision: 0 };
    const updated = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => bucket.update("k", bytes(`u${i}`), revision)));
    expect(updated.filter((r) => r.status === "fulfilled")).toHaveLength(1);
    await expect(bucket.update("k", bytes("stale"), revision)).rejects.toThrow(RevisionConflict);
    await expect(bucket.update("absent", bytes("x"), 1)).rejects.toThrow(RevisionConflict);
    await expect(bucket.update("absent", bytes("x"), 0)).rejects.toThrow(RevisionConflict);
    await bucket.delete("k");
    expect(await bucket.create("k", bytes("again"))).toBeGreaterThan(revision);
  });

  it("expire a key after the bucket's TTL, which a write renews, and notify watchers", async () => {
    const bucket = await at.broker.bucket("short", { ttlMs: 400 });
    const changes = new Collector<string>();
    await bucket.watch((c) => changes.add(`${c.key} ${text(c.value)}`));
    await bucket.put("once", bytes("1"));
    await bucket.put("renewed", bytes("1"));
    await changes.count(2);
    const renewedAt = Date.now();
    await bucket.put("renewed", bytes("2"));
    // On a busy machine the first value may have expired before; what counts is how long the second one stays.
    const sinceRenewal = (all: readonly string[]) => all.slice(all.indexOf("renewed 2")).filter((c) => c === "renewed null");
    await changes.until((all) => all.includes("renewed 2") && sinceRenewal(all).length > 0);
    expect(Date.now() - renewedAt).toBeGreaterThanOrEqual(380);
    await changes.until((all) => all.includes("once null"));
    expect(await bucket.get("once")).toBeNull();
    expect(await bucket.keys()).toEqual([]);
    expect(sinceRenewal(changes.items)).toHaveLength(1);
    await bucket.create("once", bytes("free again"));
  });

  it("send watchers the existing keys, then each change in order", async () => {
    const bucket = await at.broker.bucket("watched");
    await bucket.put("a", bytes("1"));
    await bucket.put("b", bytes("1"));
    await bucket.delete("b");
    const changes = new Collector<string>();
    const watch = await bucket.watch((c) => changes.add(`${c.key} ${text(c.value)}`));
    const entry = await bucket.get("a");
    await bucket.update("a", bytes("2"), entry?.revision ?? 0);
    await bucket.create("c", bytes("1"));
    await bucket.delete("a");
    await bucket.put("end", bytes("!"));
    expect(await changes.until((all) => all.includes("end !"))).toEqual(["a 1", "a 2", "c 1", "a null", "end !"]);
    await watch.close();
    const other = new Collector<string>();
    await bucket.watch((c) => other.add(c.key));
    await bucket.put("after", bytes("x"));
    await other.until((all) => all.includes("after"));
    expect(changes.items).not.toContain("after x");
  });

  it("give all their entries at once, in one epoch, which a restart keeps", async () => {
    const bucket = await at.broker.bucket("listed");
    expect((await bucket.entries()).entries).toEqual([]);
    const keys = Array.from({ length: 450 }, (_, i) => `k/${i}`);
    await Promise.all(keys.map(async (key) => await bucket.put(key, bytes("old"))));
    await Promise.all(keys.map(async (key) => await bucket.put(key, bytes(`v ${key}`))));
    await bucket.put("deleted", bytes("x"));
    await bucket.delete("deleted");
    const { epoch, entries } = await bucket.entries();
    expect(entries.map((e) => `${e.key} ${text(e.value)}`).toSorted()).toEqual(keys.map((key) => `${key} v ${key}`).toSorted());
    expect(entries[0]).toMatchObject(await bucket.get(entries[0]?.key ?? "").then((e) => ({ revision: e?.revision })));
    const short = await at.broker.bucket("listedShort", { ttlMs: 200 });
    await short.put("k", bytes("v"));
    await expect.poll(async () => (await short.entries()).entries).toEqual([]);
    await at.broker.close();
    at.broker = await at.harness.open();
    const again = await (await at.broker.bucket("listed")).entries();
    expect([again.epoch, again.entries.length]).toEqual([epoch, keys.length]);
  });

  it("survive a restart", async () => {
    const revision = await (await at.broker.bucket("kept")).put("k", bytes("v"));
    await at.broker.close();
    at.broker = await at.harness.open();
    const bucket = await at.broker.bucket("kept");
    expect(await bucket.get("k")).toMatchObject({ revision });
    expect(await bucket.update("k", bytes("w"), revision)).toBeGreaterThan(revision);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterEach, describe, expect, it } from "vitest";
import type { BrokerUrl } from "#core/dsn.ts";
import { type Broker, BrokerUnavailable } from "#core/ports/index.ts";
import { freePort } from "#testkit/ports.ts";
import { systemClock } from "../../clock.ts";
import { bytes, Collector, natsServerInstalled, PrivateNats, quick, silent, text, whenState } from "../broker.testkit.ts";
import { Namespace } from "../namespace.ts";
import { NatsBroker } from "../nats.ts";
import type { NatsInput } from "./link.ts";

/** What a call is rejected with before the event loop turns; `waits` if it waits for anything. */
async function outcomeAtOnce(call: Promise<unknown>): Promise<unknown> {
  const turned = new Promise((resolve) => setImmediate(resolve, "waits"));
  return await Promise.race([call.catch((error: unknown) => error), turned]);
}

const stream = { name: "EVENTS", subjects: ["events.>"], maxAgeMs: 3_600_000, duplicateWindowMs: 60_000 };

describe.skipIf(!natsServerInstalled())("broker on a NATS server that fails", { timeout: 30_000 }, () => {
  const cleanup: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    for (const step of cleanup.splice(0).reverse()) await step();
  });

  async function server(extra?: readonly string[]): Promise<PrivateNats> {
    const started = await PrivateNats.start(extra);
    cleanup.push(() => started.dispose());
    return started;
  }

  async function open(address: string, change: Partial<NatsInput> & { login?: Partial<BrokerUrl> } = {}): Promise<Broker> {
    const { login, ...rest } = change;
    const url = {
      kind: "nats",
      servers: address.split(","),
      user: null,
      password: null,
      token: null,
      tls: false,
      ...login,
    } as NatsInput["url"];
    const broker = await new NatsBroker({
      url,
      replicas: 1,
      log: silent,
      clock: systemClock,
      tuning: quick,
      namespace: new Namespace("rollcall"),
      ...rest,
    }).start();
    cleanup.push(() => broker.close());
    return broker;
  }

  it("fails fast while the server is down and continues without a gap when it is up", async () => {
    const nats = await server();
    const broker = await open(nats.address);
    await broker.ensureStream(stream);
    const bucket = await broker.bucket("kept");
    await bucket.put("k", bytes("before"));
    const [tail, work, core, watched] = [
      new Collector<number>(),
      new Collector<string>(),
      new Collector<string>(),
      new Collector<string>(),
    ];
    await broker.consume("EVENTS", { start: "all" }, async (m) => tail.add(m.seq));
    await broker.consume("EVENTS", { durable: "work", start: "all" }, async (m) => work.add(m.id));
    broker.subscribe("note.>", (m) => core.add(`${text(m.data)}`));
    await bucket.watch((c) => watched.add(`${text(c.value)}`));
    for (let i = 1; i <= 20; i++) await broker.append("events.x", bytes("x"), { id: `m${i}` });
    await tail.count(20);

    await nats.kill();
    await whenState(broker, false);
    for (const call of [
      () => broker.append("events.x", bytes("x"), { id: "m21" }),
      () => broker.publish("note.x", bytes("lost")),
      () => bucket.get("k"),
      () => broker.streamInfo("EVENTS"),
    ])
      expect(await outcomeAtOnce(call())).toBeInstanceOf(BrokerUnavailable);
    expect(broker.state()).toMatchObject({ up: false, reason: expect.stringContaining("nats.url") });

    await nats.run();
    await whenState(broker, true);
    for (let i = 21; i <= 40; i++) await persistently(() => broker.append("events.x", bytes("x"), { id: `m${i}` }));
    await persistently(() => bucket.put("k", bytes("after")));
    await broker.publish("note.x", bytes("again"));
    expect(await tail.count(40)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    await work.until((ids) => new Set(ids).size === 40);
    expect(await core.count(1)).toEqual(["again"]);
    await watched.until((all) => all.at(-1) === "after");
  });

  it("stores an interrupted append once when it is repeated", async () => {
    const nats = await server();
    const broker = await open(nats.address);
    await broker.ensureStream(stream);
    const ids = Array.from({ length: 300 }, (_, i) => `m${i}`);
    const killed = nats.kill();
    const attempts = ids.map((id) => persistently(() => broker.append("events.x", bytes(id), { id })));
    await killed;
    await nats.run();
    await Promise.all(attempts);
    const found = await broker.read("EVENTS", 1, 1000);
    expect(found.map((m) => m.id).sort()).toEqual([...ids].sort());
  });

  it("creates streams and buckets again when the server lost them, and resets readers", async () => {
    const nats = await server();
    const broker = await open(nats.address);
    await broker.ensureStream(stream);
    const bucket = await broker.bucket("state");
    await bucket.put("k", bytes("v"));
    const [got, resets, watched] = [new Collector<string>(), new Collector<string>(), new Collector<string>()];
    await broker.consume("EVENTS", { start: "all", onReset: (info, reason) => resets.add(`${reason} ${info.last}`) }, async (m) =>
      got.add(m.id),
    );
    await bucket.watch((c) => watched.add(`${c.key} ${text(c.value)}`));
    for (const id of ["a", "b", "c"]) await broker.append("events.x", bytes(id), { id });
    await got.count(3);
    await watched.count(1);
    const { epoch } = await broker.streamInfo("EVENTS");
    const { epoch: epochOfBucket } = await bucket.entries();

    await nats.kill();
    nats.wipe();
    await nats.run();
    await whenState(broker, true);
    await persistently(() => broker.append("events.x", bytes("new"), { id: "new" }));
    expect((await resets.count(1))[0]).toMatch(/^epoch /);
    expect((await got.count(4)).at(-1)).toBe("new");
    expect((await broker.streamInfo("EVENTS")).epoch).not.toBe(epoch);
    await watched.until((all) => all.includes("k null"));
    const content = await bucket.entries();
    expect(content.entries).toEqual([]);
    expect(content.epoch).not.toBe(epochOfBucket);
    expect(await bucket.create("k", bytes("w"))).toBe(1);
  });

  it("connects in the background and applies everything that was requested meanwhile", async () => {
    const nats = await server();
    await nats.kill();
    const broker = await open(nats.address, { start: "background" });
    expect(broker.state().up).toBe(false);
    await expect(broker.ensureStream(stream)).rejects.toThrow(BrokerUnavailable);
    const [got, core] = [new Collector<string>(), new Collector<string>()];
    broker.subscribe("note.>", (m) => core.add(`${text(m.data)}`));
    await broker.consume("EVENTS", { durable: "work", start: "all" }, async (m) => got.add(m.id));
    const bucket = await broker.bucket("late");
    await expect(bucket.get("k")).rejects.toThrow(BrokerUnavailable);
    await nats.run();
    await whenState(broker, true);
    await persistently(() => broker.append("events.x", bytes("x"), { id: "one" }));
    await broker.publish("note.x", bytes("hello"));
    expect(await got.count(1)).toEqual(["one"]);
    expect(await core.count(1)).toEqual(["hello"]);
    expect(await bucket.put("k", bytes("v"))).toBe(1);
  });

  it("fails with one line that names the option: unreachable, no JetStream, wrong password, too few servers", async () => {
    const unused = `127.0.0.1:${await freePort()}`;
    const plain = await server([]);
    const locked = await server(["-js", "--user", "rollcall", "--pass", "p@ss:w/ord?"]);
    const single = await server();
    const refusal = (attempt: Promise<Broker>) =>
      attempt.then(
        () => "accepted",
        (e: Error) => `${e.name}: ${e.message}`,
      );
    expect(await refusal(open(unused))).toMatch(
      /^BrokerUnavailable: nats\.url: cannot reach 127\.0\.0\.1:\d+ \(.*\); start the server or correct nats\.url$/,
    );
    expect(await refusal(open(plain.address))).toMatch(/^BrokerUnavailable: nats\.url: JetStream is not enabled on 127/);
    expect(await refusal(open(locked.address))).toMatch(/nats\.url: .* refused the user name, password or token/);
    expect(await refusal(open(locked.address, { login: { user: "rollcall", password: "wrong" } as never }))).toMatch(
      /nats\.url: .* refused/,
    );
    expect(await refusal(open(single.address, { replicas: 3 }))).toMatch(
      /^BrokerUnavailable: nats\.replicas: 3 copies need at least 3 NATS servers/,
    );
    const broker = await open(locked.address, {
      login: { user: "rollcall", password: "p@ss:w/ord?" } as never,
    });
    await broker.ensureStream(stream);
    await broker.append("events.x", bytes("x"), { id: "1" });
  });

  it("applies the number of copies to new and to existing streams and buckets of a cluster", async () => {
    const address = await cluster();
    const single = await persistently(() => open(address));
    await persistently(() => single.ensureStream(stream));
    await (await single.bucket("state")).put("k", bytes("v"));
    expect(await copies(address, "rollcall_EVENTS", "KV_rollcall_state")).toEqual([1, 1]);
    await single.close();

    const triple = await persistently(() => open(address, { replicas: 3 }));
    await triple.ensureStream(stream);
    await triple.ensureStream({ ...stream, name: "NEW", subjects: ["new.>"] });
    const bucket = await triple.bucket("state");
    expect(await copies(address, "rollcall_EVENTS", "KV_rollcall_state", "rollcall_NEW")).toEqual([3, 3, 3]);
    // A stream that gains replicas has no leader for a moment.
    expect(text((await persistently(() => bucket.get("k")))?.value ?? null)).toBe("v");
  });

  async function cluster(): Promise<string> {
    const routes = await Promise.all([freePort(), freePort(), freePort()]);
    const servers = await Promise.all(
      routes.map(async (port, i) => {
        const folder = mkdtempSync(join(tmpdir(), "rollcall-cluster-"));
        cleanup.push(async () => rmSync(folder, { recursive: true }));
        const own = join(folder, "nats.conf");
        const others = routes.map((r) => `nats://127.0.0.1:${r}`).join(", ");
        writeFileSync(
          own,
          `server_name: n${i}\njetstream {}\ncluster { name: rc, listen: "127.0.0.1:${port}", routes: [${others}] }\n`,
        );
        return server(["-c", own]);
      }),
    );
    return servers.map((s) => s.address).join(",");
  }

  /** By name, because a listing omits streams that are being moved between servers. */
  async function copies(address: string, ...names: string[]): Promise<number[]> {
    const nc = await connect({ servers: address.split(",") });
    const jsm = await jetstreamManager(nc);
    const found = await Promise.all(names.map(async (name) => (await jsm.streams.info(name)).config.num_replicas));
    await nc.close();
    return found;
  }
});

/** Retries until the broker is up, as callers of the port do. */
async function persistently<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      await systemClock.sleep(20);
    }
  }
}

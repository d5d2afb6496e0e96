import { jetstream, jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { rolesChanged } from "#features/access/access.contract.ts";
import { presenceTopic } from "#features/realtime/realtime.contract.ts";
import { doctor } from "#features/system/system.contract.ts";
import { natsServerInstalled, PrivateNats } from "#infra/broker/broker.testkit.ts";
import { systemClock } from "#infra/clock.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { createIds } from "#infra/ids.ts";
import { assignInstallationId, InstallationHeld, installationOf } from "#infra/installation/index.ts";
import { eventStream } from "#infra/outbox/index.ts";
import { encodeEvent, subjectOf } from "#infra/outbox/wire.ts";
import { bucketNameOf } from "#infra/realtime/latest.ts";
import { dsnText, startApp, type TestApp } from "#testkit/app.ts";
import { openTestDatabase, testedKinds } from "#testkit/database.ts";
import { createWorld } from "#testkit/world.ts";

type Database = Awaited<ReturnType<typeof openTestDatabase>>;

const events = 30;
const ids = createIds(systemClock);

/** Emits `events` changes of roles; returns the ids of all events that are in the outbox then. */
async function changeRoles(app: TestApp): Promise<string[]> {
  const { container } = app.process;
  for (let epoch = 1; epoch <= events; epoch++) {
    await container.db.write("test.change", async (tx) => {
      await container.ports.outbox.emit(tx, rolesChanged, { key: "police", version: epoch, payload: { job: "police", epoch } });
    });
  }
  return await eventsOf(app);
}

async function eventsOf({ process: { container } }: TestApp): Promise<string[]> {
  return await container.db.read("test.events", async (tx) => {
    const rows = await queries<InfrastructureTables>(tx).selectFrom("outbox_events").select("event_id").execute();
    return rows.map((row) => row.event_id);
  });
}

async function handledBy({ process: { container } }: TestApp): Promise<string[]> {
  return await container.db.read("test.handled", async (tx) => {
    const rows = await queries<InfrastructureTables>(tx).selectFrom("outbox_inbox").select("event_id").execute();
    return rows.map((row) => row.event_id);
  });
}

async function installationIn({ process: { container } }: TestApp): Promise<string | null> {
  return await container.db.read("test.id", installationOf);
}

async function giveId({ process: { container } }: TestApp, id: string): Promise<void> {
  await container.db.write("test.give", async (tx) => await assignInstallationId(tx, { id, at: 1, reactions: [] }));
}

describe.skipIf(!natsServerInstalled()).each(testedKinds)("installations on one NATS server (%s)", (kind) => {
  let nats: PrivateNats;
  const databases: Database[] = [];
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    nats = await PrivateNats.start();
    databases.push(await openTestDatabase(kind), await openTestDatabase(kind));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    for (const database of databases) await database.empty();
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await nats?.dispose();
  });

  async function start(at: 0 | 1): Promise<TestApp> {
    const app = await startApp({ dsn: dsnText(databases[at]!.dsn), nats: `nats://${nats.address}` });
    ends.push(async () => await app.close());
    return app;
  }

  async function server(): Promise<JetStreamManager> {
    const nc = await connect({ servers: nats.address });
    ends.push(async () => await nc.close());
    return await jetstreamManager(nc);
  }

  /** Ids of the events that the stream of a process contains or will contain. */
  async function streamed({ process: { container } }: TestApp): Promise<string[]> {
    const ids: string[] = [];
    await container.broker.consume(eventStream.name, { start: "all" }, async ({ id }) => void ids.push(id));
    return ids;
  }

  it("handle all of their own events, and none of each other's", async () => {
    const apps = [await start(0), await start(1)];
    const seen = await Promise.all(apps.map(streamed));
    const made = await Promise.all(apps.map(changeRoles));
    for (const [at, app] of apps.entries()) {
      await expect.poll(async () => (await handledBy(app)).toSorted(), { timeout: 10_000 }).toEqual(made[at]!.toSorted());
      expect([...new Set(seen[at])].toSorted()).toEqual(made[at]!.toSorted());
    }
  });

  it("have their id in the names of streams, consumers, subjects and buckets", async () => {
    const app = await start(0);
    const id = (await installationIn(app)) ?? "";
    const jsm = await server();
    const { config } = await jsm.streams.info(`rollcall_${id}_EVENTS`);
    expect(config.subjects).toEqual([`rollcall.${id}.events.>`]);
    expect((await jsm.consumers.info(config.name, `rollcall_${id}_reactions`)).name).toContain(id);
    expect((await jsm.streams.info(`KV_rollcall_${id}_INSTALLATION`)).state.messages).toBe(1);
    const latest = await jsm.streams.info(`KV_rollcall_${id}_${bucketNameOf(presenceTopic)}`);
    expect(latest.config.max_age).toBe(presenceTopic.maxAgeMs * 1e6);
  });

  it("refuse a copied database, naming both, and start it once it has an id of its own", async () => {
    const first = await start(0);
    const id = (await installationIn(first)) ?? "";
    const second = await start(1);
    await giveId(second, id);
    await ends.pop()!();
    const nameOf = ({ dsn }: Database) => (dsn.kind === "sqlite" ? dsn.file : dsn.database);
    const refused = await start(1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InstallationHeld);
    expect((refused as Error).message).toContain(`database ${nameOf(databases[1]!)} on`);
    expect((refused as Error).message).toContain(`to ${nameOf(databases[0]!)} on`);
    await databases[1]!.db.write(
      "test.give",
      async (tx) => await assignInstallationId(tx, { id: ids.next(), at: 1, reactions: [] }),
    );
    await start(1);
  });

  it("follow a new id while they run, without losing an event", async () => {
    const otherId = ids.next();
    const apps = [await start(0)];
    if (kind === "mariadb") apps.push(await start(0));
    const [app] = apps as [TestApp];
    await changeRoles(app);
    await giveId(app, otherId);
    // Published by a process that has not noticed the new id yet.
    await changeRoles(app);
    const jsm = await server();
    const readers = async () =>
      (await jsm.consumers.info(`rollcall_${otherId}_EVENTS`, `rollcall_${otherId}_reactions`)).num_waiting;
    await expect.poll(readers, { timeout: 15_000 }).toBe(apps.length);
    const all = await changeRoles(app);
    await expect.poll(async () => (await handledBy(app)).toSorted(), { timeout: 15_000 }).toEqual(all.toSorted());
    for (const one of apps) expect(one.process.container.broker.state().up).toBe(true);
  });

  it("publish unhandled events once more after the upgrade, and leave the shared stream untouched", async () => {
    const before = await start(0);
    const all = await changeRoles(before);
    await expect.poll(async () => (await handledBy(before)).length, { timeout: 15_000 }).toBe(all.length);
    await ends.pop()!();
    const otherId = ids.next();
    const unanswered = all.toSorted().slice(-7);
    const { db } = databases[0]!;
    await db.write("test.before", async (tx) => {
      const q = queries<InfrastructureTables>(tx);
      await q.deleteFrom("installation").execute();
      await q.deleteFrom("outbox_inbox").where("event_id", "in", unanswered).execute();
    });
    const jsm = await server();
    await jsm.streams.add({ name: "rollcall_EVENTS", description: "Rollcall", subjects: ["rollcall.events.>"] });
    await jsm.consumers.add("rollcall_EVENTS", { durable_name: "reactions", ack_policy: "explicit" });
    const foreign = { eventId: otherId, type: rolesChanged.id, schemaVersion: 1, key: "police", version: 1, at: 1 };
    const message = encodeEvent({ ...foreign, payload: { job: "police", epoch: 1 } });
    const nc = await connect({ servers: nats.address });
    ends.push(async () => await nc.close());
    await jetstream(nc).publish(`rollcall.${subjectOf(rolesChanged.id)}`, message, { msgID: otherId });

    const apps = await Promise.all(kind === "mariadb" ? [start(0), start(0)] : [start(0)]);
    const [app] = apps as [TestApp];
    await expect.poll(async () => (await handledBy(app)).toSorted(), { timeout: 15_000 }).toEqual(all.toSorted());
    const stream = await jsm.streams.info(`rollcall_${await installationIn(app)}_EVENTS`);
    expect(stream.state.messages).toBe(unanswered.length);
    const metrics = await Promise.all(apps.map(async ({ process: { container } }) => await container.metrics.expose()));
    const done = metrics.map((text) => /^rollcall_reactions_total{.*tellRightsChanged.*outcome="done".*} (\d+)/m.exec(text)?.[1]);
    expect(done.reduce((sum, count) => sum + Number(count ?? 0), 0)).toBe(unanswered.length);
    const shared = await jsm.streams.info("rollcall_EVENTS");
    expect([shared.state.messages, shared.state.consumer_count]).toEqual([1, 1]);
    expect((await jsm.consumers.info("rollcall_EVENTS", "reactions")).delivered.consumer_seq).toBe(0);

    const { cookie } = await createWorld(app).actor({ groups: ["admin"] });
    const { output } = await app.call(doctor, {}, { cookie });
    expect(output.findings.find(({ id }) => id === "system.oldStreams")).toEqual({
      id: "system.oldStreams",
      state: "warning",
      params: { streams: "rollcall_EVENTS" },
    });
    await jsm.streams.delete("rollcall_EVENTS");
    const after = await app.call(doctor, {}, { cookie });
    expect(after.output.findings.map(({ id }) => id)).not.toContain("system.oldStreams");
  });
});

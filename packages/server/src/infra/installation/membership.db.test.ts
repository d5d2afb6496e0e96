import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { defineEvent } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import { type Broker, BrokerUnavailable, reactTo } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { natsServerInstalled, PrivateNats, quick, silent, whenState } from "../broker/broker.testkit.ts";
import { openBroker } from "../broker/index.ts";
import { Namespace } from "../broker/namespace.ts";
import { systemClock } from "../clock.ts";
import { claim, InstallationHeld, namespaceOf } from "./claim.ts";
import { assignInstallationId } from "./identity.ts";
import { Membership } from "./membership.ts";

const moved = defineEvent({ id: "people.moved", version: 1, payload: Type.Object({}) });
const reactions = [reactTo({ consumer: "first", event: moved, handle: async () => undefined })];
const stream = { name: "EVENTS", subjects: ["events.>"], maxAgeMs: 3_600_000, duplicateWindowMs: 60_000 };
const otherDatabase = { server: "elsewhere:3306", database: "city" };

if (natsServerInstalled())
  describeDatabases("a process of an installation", (get) => {
    let nats: PrivateNats;
    const ends: (() => Promise<unknown>)[] = [];
    beforeAll(async () => void (nats = await PrivateNats.start()));
    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    });
    afterAll(async () => await nats.dispose());

    function natsUrl() {
      const login = { user: null, password: null, token: null, tls: false };
      return { kind: "nats", servers: [nats.address], ...login } as const;
    }

    async function open(namespace: Namespace): Promise<Broker> {
      const broker = await openBroker({ url: natsUrl(), replicas: 1, namespace, log: silent, clock: systemClock, tuning: quick });
      ends.push(async () => await broker.close());
      return broker;
    }

    async function member() {
      const { db, ids, clock, dsn } = get();
      const namespace = new Namespace();
      const broker = await open(namespace);
      const options = { db, ids, clock, dsn, url: natsUrl(), replicas: 1, reactions, broker, namespace, log: silent };
      const membership = new Membership(options);
      ends.push(async () => await membership.close());
      return { broker, join: async () => await membership.join(), watch: () => membership.watch() };
    }

    async function give(id: string): Promise<void> {
      await get().db.write("test.give", async (tx) => await assignInstallationId(tx, { id, at: 1, reactions: [] }));
    }

    it("cannot use the broker before the id is known", async () => {
      const { broker, join } = await member();
      expect(broker.state()).toMatchObject({ up: false, reason: expect.stringContaining("nats.url") });
      await expect(broker.publish("note.x", new Uint8Array())).rejects.toThrow(BrokerUnavailable);
      await join();
      expect(broker.state().up).toBe(true);
      await broker.publish("note.x", new Uint8Array());
    });

    it("follows a new id: readers are reset, and events published meanwhile are sent again", async () => {
      const { db, ids, clock } = get();
      const { broker, join, watch } = await member();
      await give(ids.next());
      await join();
      await broker.ensureStream(stream);
      const resets: string[] = [];
      const seen: string[] = [];
      const options = { start: "all", onReset: (_: unknown, reason: string) => void resets.push(reason) } as const;
      await broker.consume("EVENTS", options, async ({ id }) => void seen.push(id));
      const notes: string[] = [];
      broker.subscribe("note.>", ({ subject }) => notes.push(subject));
      await broker.append("events.x", new Uint8Array(), { id: "before" });
      const event = { event_id: "lost", type: moved.id, schema_version: 1, agg_key: "1", version: 1, payload: "{}" };
      await db.write("test.lost", async (tx) => {
        const q = queries<InfrastructureTables>(tx);
        await q
          .insertInto("outbox_events")
          .values({ ...event, created_at: 1, sent_at: 5 })
          .execute();
      });
      watch();

      const next = ids.next();
      await give(next);
      const down = whenState(broker, false);
      await clock.advance(2000);
      await down;
      await whenState(broker, true);
      await expect
        .poll(async () => (await broker.append("events.x", new Uint8Array(), { id: "after" }).catch(() => null))?.seq)
        .toBe(1);
      await expect.poll(() => [seen, resets]).toEqual([["before", "after"], ["epoch"]]);
      const observer = await open(new Namespace(namespaceOf(next)));
      await observer.publish("note.y", new Uint8Array());
      await expect.poll(() => notes).toEqual(["note.y"]);
      const unsent = async () =>
        await db.read("test.unsent", async (tx) => {
          const q = queries<InfrastructureTables>(tx);
          return (await q.selectFrom("outbox_events").select("event_id").where("sent_at", "is", null).execute()).length;
        });
      await expect
        .poll(async () => {
          await clock.advance(250);
          return await unsent();
        })
        .toBe(1);
    });

    it("with the id of another database neither receives nor sends messages under it", async () => {
      const { ids, clock } = get();
      const foreignId = ids.next();
      const other = await open(new Namespace(namespaceOf(foreignId)));
      await claim(other, foreignId, otherDatabase);
      await other.ensureStream(stream);
      const { broker, join, watch } = await member();
      await give(ids.next());
      await join();
      await broker.ensureStream(stream);
      const received: string[] = [];
      const durable = { durable: "reactions", start: "all" } as const;
      await broker.consume("EVENTS", durable, async ({ id }) => void received.push(id));
      await other.consume("EVENTS", durable, async () => undefined);
      watch();
      await give(foreignId);
      const down = whenState(broker, false);
      for (let i = 0; i < 200; i += 1) await other.append("events.x", new Uint8Array(), { id: `theirs-${i}` });
      await clock.advance(2000);
      await down;
      for (let i = 200; i < 400; i += 1) await other.append("events.x", new Uint8Array(), { id: `theirs-${i}` });
      await clock.advance(2000);
      await expect.poll(() => broker.state().reason).toContain("belongs on this broker to city on elsewhere:3306");
      expect(received).toEqual([]);
    });

    it("does not use the broker while another database has its id, and reports why", async () => {
      const { ids } = get();
      const { broker, join } = await member();
      const id = ids.next();
      await give(id);
      const other = await open(new Namespace(namespaceOf(id)));
      await claim(other, id, otherDatabase);
      await expect(join()).rejects.toThrow(InstallationHeld);
      await whenState(broker, false);
      await expect.poll(() => broker.state().reason).toContain("belongs on this broker to city on elsewhere:3306");
      await expect(broker.append("events.x", new Uint8Array(), { id: "x" })).rejects.toThrow(BrokerUnavailable);
      const next = ids.next();
      await give(next);
      await join();
      expect(broker.state().up).toBe(true);
    });
  });

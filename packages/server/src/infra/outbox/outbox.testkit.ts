import { Type } from "typebox";
import { afterEach, beforeEach } from "vitest";
import { defineEvent } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import type { Broker, Database, EventMessage, EventReaction, Outbox } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import type { TestDatabase } from "#testkit/database.ts";
import { watchDatabase, type WatchedDatabase } from "#testkit/idle.ts";
import { noMetrics, silentLog } from "#testkit/silence.ts";
import { Collector, embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import { checkPayload, TaskQueue, TaskRunner } from "#infra/tasks/index.ts";
import {
  createOutbox,
  createRelay,
  type EventListeners,
  eventStream,
  type Relay,
  type RelayOptions,
  retriedReactions,
} from "./index.ts";
import { decodeEvent } from "./wire.ts";

export const renamed = defineEvent({
  id: "people.renamed",
  version: 2,
  payload: Type.Object({ name: Type.String() }),
});
export const moved = defineEvent({
  id: "people.moved",
  version: 1,
  payload: Type.Object({ to: Type.String() }),
});

/** An outbox over a test database and an embedded broker of its own, closed after each test. */
export class OutboxFixture {
  broker!: Broker;
  readonly closing: Array<{ close(): Promise<void> }> = [];
  readonly #get: () => TestDatabase;
  #harness!: Harness;
  #tasks: TaskQueue | null = null;

  constructor(get: () => TestDatabase) {
    this.#get = get;
    beforeEach(async () => {
      this.#harness = embeddedHarness();
      this.broker = await this.#harness.open();
    });
    afterEach(async () => {
      await Promise.all(this.closing.splice(0).map((c) => c.close()));
      await this.#harness.dispose();
    });
  }

  async relay(change: Partial<RelayOptions> = {}): Promise<Relay> {
    const { db, clock, ids } = this.#get();
    await (change.broker ?? this.broker).ensureStream(eventStream);
    const made = createRelay({
      db,
      broker: this.broker,
      clock,
      ids,
      log: silentLog,
      metrics: noMetrics,
      ...change,
    });
    this.closing.push(made);
    made.start();
    return made;
  }

  get tasks(): TaskQueue {
    const { db, ids } = this.#get();
    return (this.#tasks ??= new TaskQueue({ db, ids, check: checkPayload }));
  }

  /** Starts a worker that tries failed reactions again; returns its database. */
  worker(reactions: readonly EventReaction[]): WatchedDatabase {
    const { clock, ids } = this.#get();
    const db = watchDatabase(this.#get().db);
    const handlers = [retriedReactions(db, reactions)];
    const made = new TaskRunner({ db, clock, ids, log: silentLog, metrics: noMetrics, roles: ["worker"], handlers });
    this.closing.push(made);
    made.start();
    return db;
  }

  outbox(committed?: () => void, listeners?: EventListeners): Outbox {
    const { clock, ids } = this.#get();
    return createOutbox({ clock, ids, ...(committed ? { committed } : {}), ...(listeners ? { listeners } : {}) });
  }

  async rename(box: Outbox, key: string, version: number, db: Database = this.#get().db): Promise<void> {
    await db.write("people.rename", (tx) => box.emit(tx, renamed, { key, version, payload: { name: `${key} ${version}` } }));
  }

  /** The content of the stream. */
  async stored(): Promise<EventMessage[]> {
    return (await this.broker.read(eventStream.name, 1, 10_000)).map((m) => decodeEvent(m.data));
  }

  rows() {
    return this.#get().db.read("test.rows", (tx) =>
      queries<InfrastructureTables>(tx).selectFrom("outbox_events").selectAll().orderBy("id").execute(),
    );
  }

  /** Collects the messages of the stream as they arrive. */
  async arrivals(): Promise<Collector<EventMessage>> {
    await this.broker.ensureStream(eventStream);
    const got = new Collector<EventMessage>();
    this.closing.push(await this.broker.consume(eventStream.name, { start: "all" }, async (m) => got.add(decodeEvent(m.data))));
    return got;
  }
}

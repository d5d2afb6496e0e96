import { Type } from "typebox";
import {
  access,
  type ClientMessage,
  definePermission,
  defineTopic,
  type LiveEvent,
  type ServerMessage,
} from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Broker, Clock, EventMessage, Log, TopicBinding } from "#core/ports/index.ts";
import { createTestIds } from "#testkit/ids.ts";
import { noMetrics, silentLog } from "#testkit/silence.ts";
import { Collector } from "../broker/broker.testkit.ts";
import { encodeEvent, eventStream, subjectOf } from "../outbox/wire.ts";
import { RealtimeHub, type RealtimeOptions } from "./hub.ts";
import type { SocketHandler } from "./sessions.ts";
import type { RealtimeSocket } from "./socket.ts";

export const seePeople = definePermission("people.see");
export const seePhones = definePermission("people.seePhones");
const Person = Type.Object({ id: Type.Integer(), name: Type.String(), phone: Type.Optional(Type.String()) });

/** All people, and one person by id. The phone needs `seePhones`; the hidden person is never shown. */
export function peopleTopics(count = { project: 0, view: 0 }): TopicBinding[] {
  const authorize = async (viewer: Viewer, key: string | null) => {
    if (key === "secret") return null;
    const phones = viewer.rights.has(seePhones.id);
    return {
      class: phones ? "phones" : "plain",
      view: (data: unknown) => {
        count.view++;
        const { phone, ...person } = data as { phone?: string; name: string };
        if (person.name === "Hidden") return null;
        return phones ? { ...person, phone } : person;
      },
    };
  };
  const project = (event: EventMessage) => {
    count.project++;
    return event.type === "people.changed" ? (event.payload as object) : null;
  };
  const list = defineTopic({
    name: "people",
    kind: "event",
    access: access.permission(seePeople),
    message: Person,
  });
  const one = defineTopic({
    name: "people/:id",
    kind: "event",
    access: access.permission(seePeople),
    message: Person,
  });
  return [
    {
      topic: list,
      authorize,
      project: (event) => (project(event) ? [{ key: null, data: event.payload }] : []),
    },
    {
      topic: one,
      authorize,
      project: (event) => (project(event) ? [{ key: event.key, data: event.payload }] : []),
    },
  ];
}

export const units = defineTopic({
  name: "units",
  kind: "state",
  access: access.permission(seePeople),
  message: Type.Object({
    x: Type.Number({ precision: 0.1 }),
    y: Type.Number({ precision: 0.1 }),
    job: Type.String(),
    name: Type.Optional(Type.String()),
  }),
});
export const editors = defineTopic({
  name: "editors/:document",
  kind: "state",
  access: access.character(),
  message: Type.Object({ name: Type.String() }),
});

const stateBindings: TopicBinding[] = [
  {
    topic: units,
    authorize: async (viewer) => ({
      class: viewer.job,
      view: (data) => {
        const { job, name, ...position } = data as { x: number; y: number; job: string; name?: string };
        if (job === "undercover" && viewer.job !== "police") return null;
        return viewer.job === "police" ? { ...position, job, name } : { ...position, job };
      },
    }),
  },
  { topic: editors, authorize: async () => ({ class: "all", view: (data) => data }) },
];

interface Person {
  rights: Set<string>;
  job: string;
  expiresAt: number;
  epoch: number;
  account: number;
}

/** Tokens are names in `people`; tests change rights there. */
export class World {
  readonly people = new Map<string, Person>();
  #events = 0;

  constructor(...names: string[]) {
    names.forEach((name, i) => this.add(name, { account: i + 1 }));
  }

  add(name: string, change: Partial<Person> = {}): void {
    this.people.set(name, {
      rights: new Set([seePeople.id]),
      job: "police",
      expiresAt: Number.MAX_SAFE_INTEGER,
      epoch: 1,
      account: this.people.size + 1,
      ...change,
    });
  }

  viewer = (name: string): Viewer | null => this.viewerOf(name);

  viewerOf(name: string): Viewer | null {
    const person = this.people.get(name);
    if (!person) return null;
    const rights = new Set(person.rights);
    return {
      accountId: person.account,
      username: name,
      sessionId: name,
      characterId: person.account,
      job: person.job,
      configAdmin: false,
      rights: {
        epoch: String(person.epoch),
        has: (p: string) => rights.has(p),
        attribute: () => undefined,
        all: () => ({}),
      },
    } as unknown as Viewer;
  }

  async hub(broker: Broker, clock: Clock, change: Partial<RealtimeOptions> & { log?: Log } = {}): Promise<RealtimeHub> {
    const hub = this.unstartedHub(broker, clock, change);
    await hub.start();
    return hub;
  }

  unstartedHub(broker: Broker, clock: Clock, change: Partial<RealtimeOptions> & { log?: Log } = {}): RealtimeHub {
    return new RealtimeHub({
      broker,
      clock,
      ids: { ...createTestIds(), next: () => `id-${Math.random().toString(36).slice(2)}` },
      log: silentLog,
      metrics: noMetrics,
      bindings: [...peopleTopics(), ...stateBindings],
      authenticate: async (token) => {
        const viewer = this.viewer(token);
        if (!viewer) throw new Error("unknown token");
        return { viewer, expiresAt: this.people.get(token)?.expiresAt ?? 0 };
      },
      refresh: async (viewer) => this.viewer(viewer.username),
      links: { find: async () => null, present: async () => null },
      ...change,
    });
  }

  /** Appends an event as the outbox relay would. */
  async change(broker: Broker, id: number, name: string, more: { phone?: string; type?: string } = {}): Promise<number> {
    const { type = "people.changed", ...rest } = more;
    const eventId = `event-${++this.#events}`;
    const message = {
      eventId,
      type,
      schemaVersion: 1,
      key: String(id),
      version: this.#events,
      at: Date.now(),
      payload: { id, name, ...rest },
    } as EventMessage;
    return (await broker.append(subjectOf(type), encodeEvent(message), { id: eventId })).seq;
  }
}

export async function withStream(broker: Broker): Promise<Broker> {
  await broker.ensureStream(eventStream);
  return broker;
}

/** A client without a network. */
export class TestClient {
  readonly received = new Collector<ServerMessage | Uint8Array>();
  closed: { code: number; reason: string } | null = null;
  backlog = 0;
  readonly #handler: SocketHandler;
  readonly #onClose = Promise.withResolvers<{ code: number; reason: string }>();

  constructor(hub: Pick<RealtimeHub, "open">, network = "a network") {
    const backlog = () => this.backlog;
    const socket: RealtimeSocket = {
      get backlog() {
        return backlog();
      },
      sendText: (text) => this.received.add(JSON.parse(Buffer.from(text).toString()) as ServerMessage),
      sendBinary: (bytes) => this.received.add(Uint8Array.from(bytes)),
      close: (code, reason) => {
        this.closed = { code, reason };
        this.#onClose.resolve(this.closed);
      },
    };
    this.#handler = hub.open(socket, network);
  }

  static async signedIn(hub: Pick<RealtimeHub, "open">, token: string): Promise<TestClient> {
    const client = new TestClient(hub);
    client.send({ type: "auth", token });
    await client.next("ready");
    return client;
  }

  send(message: ClientMessage | object | string): void {
    this.#handler.message(typeof message === "string" ? message : JSON.stringify(message));
  }

  sendBinary(bytes: Uint8Array): void {
    this.#handler.binary(bytes);
  }

  pong(): void {
    this.#handler.alive();
  }

  end(): Promise<{ code: number; reason: string }> {
    return this.#onClose.promise;
  }

  leave(): void {
    this.#handler.closed();
  }

  messages(): ServerMessage[] {
    return this.received.items.filter((m) => !(m instanceof Uint8Array)) as ServerMessage[];
  }

  frames(): Uint8Array[] {
    return this.received.items.filter((m) => m instanceof Uint8Array);
  }

  of<T extends ServerMessage["type"]>(type: T): Array<Extract<ServerMessage, { type: T }>> {
    return this.messages().filter((m) => m.type === type) as Array<Extract<ServerMessage, { type: T }>>;
  }

  /** Waits for the `n`th message of a type. */
  async next<T extends ServerMessage["type"]>(type: T, n = 1): Promise<Extract<ServerMessage, { type: T }>> {
    await this.received.until(() => this.of(type).length >= n);
    return this.of(type)[n - 1] as Extract<ServerMessage, { type: T }>;
  }

  async subscribe(topic: string, after?: { epoch: string; seq: number }) {
    const n = this.of("subscribed").filter((m) => m.topic === topic).length;
    this.send({ type: "subscribe", topic, ...(after ? { after } : {}) });
    await this.received.until(
      () =>
        this.of("subscribed").filter((m) => m.topic === topic).length > n || this.of("refused").some((m) => m.topic === topic),
    );
    return this.of("subscribed").filter((m) => m.topic === topic)[n] ?? null;
  }

  events(topic: string): LiveEvent[] {
    return this.of("event").filter((m) => m.topic === topic);
  }

  names(topic: string): string[] {
    return this.events(topic).map((m) => (m.data as { name: string }).name);
  }

  async untilName(topic: string, name: string): Promise<void> {
    await this.received.until(() => this.names(topic).includes(name));
  }

  /** Whether `prev` of each event is the sequence of the one before. */
  unbroken(topic: string): boolean {
    const start = this.of("subscribed").find((m) => m.topic === topic)?.seq;
    let last = start;
    return this.events(topic).every((m) => {
      const good = m.prev === last && m.seq > m.prev;
      last = m.seq;
      return good;
    });
  }
}

import { Type } from "typebox";
import { access, decodeStateFrame, defineTopic, stateFields, StateTable, type TopicDefinition } from "#core/contract/index.ts";
import { type Broker, type BrokerState, BrokerUnavailable, type Bucket, type TopicBinding } from "#core/ports/index.ts";
import { type Harness, testedBrokers } from "../broker/broker.testkit.ts";
import { bucketKeyOf, decodeValue, encodeValue, openLatest } from "./latest.ts";
import { peopleTopics, type TestClient } from "./realtime.testkit.ts";

export const crews = defineTopic({
  name: "crews",
  kind: "state",
  rate: 4,
  maxAgeMs: 60_000,
  keepLatest: true,
  access: access.character(),
  message: Type.Object({ x: Type.Integer() }),
});

export const bindingOf = (topic: TopicDefinition): TopicBinding => ({
  topic,
  authorize: async () => ({ class: "all", view: (data) => data }),
});
export const crewBindings: readonly TopicBinding[] = [...peopleTopics(), bindingOf(crews)];

export const latestBrokers = await testedBrokers();

/** Connections of several processes to one broker; the embedded one has a single process. */
export function connections(kind: (typeof latestBrokers)[number]): Harness & { connect(): Promise<Broker> } {
  const harness: Harness = kind.harness();
  let only: Promise<Broker> | null = null;
  const connect = async () => (kind.name === "embedded" ? await (only ??= harness.open()) : await harness.open());
  return { ...harness, connect };
}

const fields = stateFields(crews.message);

/** What a client sees of `crews`: key and `x`. */
export function seen(client: TestClient): Record<string, unknown> {
  const table = new StateTable(fields);
  for (const frame of client.frames()) table.apply(frame);
  return Object.fromEntries([...table.values].map(([key, { value }]) => [key, value["x"]]));
}

/** All values that a client was ever sent under a key. */
export function everSeen(client: TestClient, key: string): unknown[] {
  const frames = client.frames().map((frame) => decodeStateFrame(fields, frame));
  const index = frames.flatMap(({ entries }) => entries).find((entry) => entry.key === key)?.index;
  return frames.flatMap(({ entries }) => entries.filter((entry) => entry.index === index).map((entry) => entry.fields["x"]));
}

/** Ages of what a client was sent in its first frame. */
export function agesIn(client: TestClient): Record<string, number> {
  const { entries } = decodeStateFrame(fields, client.frames()[0] ?? new Uint8Array());
  return Object.fromEntries(entries.map(({ key, ageMs }) => [key, ageMs]));
}

/** What the bucket of `crews` contains, whatever its age: key and `x`. */
export async function stored(broker: Broker): Promise<Record<string, unknown>> {
  const { entries } = await (await openLatest(broker, crews)).entries();
  return Object.fromEntries(entries.map(decodeValue).map(({ key, data }) => [key, (data as { x: number }).x]));
}

export async function store(broker: Broker, key: string, x: number, at: number): Promise<void> {
  await (await openLatest(broker, crews)).put(bucketKeyOf(key), encodeValue({ at, data: { x } }));
}

/** A process's connection to a broker, which a test interrupts or delays; notes writes to buckets as `put _key`. */
export class TestConnection {
  readonly writes: string[] = [];
  readonly broker: Broker;
  /** This many uses of buckets fail, as of a server that is starting. */
  failures = 0;
  readonly #listeners = new Set<(state: BrokerState) => void>();
  #up = true;
  #held: Promise<void> = Promise.resolve();

  constructor(broker: Broker) {
    const own: Partial<Broker> = {
      state: () => this.#state(broker),
      onStateChange: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      subscribe: (subject, handler) => broker.subscribe(subject, (message) => (this.#up ? handler(message) : undefined)),
      publish: async (subject, data) => {
        this.#check();
        await this.#held;
        await broker.publish(subject, data);
      },
      bucket: async (name, options) => this.#bucket(await broker.bucket(name, options)),
    };
    this.broker = new Proxy(broker, {
      get(target, name) {
        const member: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  set up(up: boolean) {
    this.#up = up;
    for (const listener of [...this.#listeners]) listener(this.broker.state());
  }

  /** Delays what is sent until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  #state(broker: Broker): BrokerState {
    return this.#up ? broker.state() : { up: false, since: 0, reason: "interrupted" };
  }

  #check(): void {
    if (!this.#up) throw new BrokerUnavailable("interrupted");
  }

  #bucket(bucket: Bucket): Bucket {
    return new Proxy(bucket, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          this.#check();
          if (this.failures-- > 0) throw new BrokerUnavailable("starting");
          if (["put", "create", "delete"].includes(String(name))) {
            this.writes.push(`${String(name)} ${String(given[0])}`);
            await this.#held;
          }
          return (await member.apply(target, given)) as unknown;
        };
      },
    });
  }
}

import { matches } from "#infra/broker/subjects.ts";
import {
  type Broker,
  type BrokerState,
  BrokerUnavailable,
  type ConsumeOptions,
  type StreamDefinition,
  type StreamInfo,
  type StreamMessage,
} from "#core/ports/index.ts";
import type { Life, Simulation } from "./simulation.ts";

const messageMs = 5;
/** After this time a message that nobody acknowledged is delivered again. */
const ackWaitMs = 5000;

type Handler = (message: StreamMessage) => Promise<void>;

interface Member {
  readonly life: Life;
  readonly handler: Handler;
  busy: boolean;
  closed: boolean;
}

/** A durable consumer that several processes share. */
interface Group {
  readonly members: Member[];
  /** Sequences and attempts that wait for a member. */
  readonly waiting: { seq: number; attempt: number }[];
}

interface Stream {
  readonly definition: StreamDefinition;
  readonly epoch: string;
  readonly messages: Omit<StreamMessage, "attempt">[];
  readonly groups: Map<string, Group>;
  readonly readers: Set<() => void>;
}

/** What the draws may do to messages. */
export interface Losses {
  /** Probability that a request or its answer is lost. */
  readonly request: number;
  /** Probability that an acknowledgement is lost. */
  readonly ack: number;
  /** Probability that a published message does not arrive. */
  readonly publish: number;
}

/** A message broker in memory: keeps what it acknowledged, loses and repeats the rest as drawn. */
export class SimulatedBroker {
  readonly #simulation: Simulation;
  readonly #streams = new Map<string, Stream>();
  readonly #subscribers = new Set<{
    life: Life;
    pattern: string;
    handler: (message: { subject: string; data: Uint8Array }) => void;
  }>();
  readonly #listeners = new Set<(state: BrokerState) => void>();
  #state: BrokerState = { up: true, since: 0, reason: null };
  losses: Losses = { request: 0, ack: 0, publish: 0 };

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  setUp(up: boolean): void {
    if (this.#state.up === up) return;
    this.#state = { up, since: this.#simulation.now, reason: up ? null : "simulated outage" };
    for (const listener of [...this.#listeners]) listener(this.#state);
    if (up) for (const stream of this.#streams.values()) this.#wake(stream);
  }

  /** All messages of a stream in order. */
  stored(stream: string): readonly Omit<StreamMessage, "attempt">[] {
    return this.#streams.get(stream)?.messages ?? [];
  }

  portOf(life: Life): Broker {
    return {
      kind: "embedded",
      state: () => this.#state,
      onStateChange: (listener) => {
        const reaching = (state: BrokerState) => life.reach(() => listener(state));
        this.#listeners.add(reaching);
        return () => this.#listeners.delete(reaching);
      },
      publish: async (subject, data) => await this.#publish(life, subject, data),
      subscribe: (pattern, handler) => {
        const one = { life, pattern, handler };
        this.#subscribers.add(one);
        return { close: async () => void this.#subscribers.delete(one) };
      },
      ensureStream: async (definition) => {
        await this.#request(life);
        this.#ensure(definition);
      },
      append: async (subject, data, { id }) => await this.#append(life, subject, data, id),
      streamInfo: async (name) => {
        await this.#request(life);
        return this.#info(this.#stream(name));
      },
      read: async (name, fromSeq, limit) => {
        await this.#request(life);
        const found = this.#stream(name).messages.filter(({ seq }) => seq >= fromSeq);
        return found.slice(0, limit).map((message) => ({ ...message, attempt: 1 }));
      },
      consume: async (name, options, handler) => this.#consume(life, name, options, handler),
      bucket: () => {
        throw new Error("the simulated broker has no buckets");
      },
      close: async () => {},
    };
  }

  #ensure(definition: StreamDefinition): void {
    const { name } = definition;
    if (this.#streams.has(name)) return;
    this.#streams.set(name, { definition, epoch: "one", messages: [], groups: new Map(), readers: new Set() });
  }

  #stream(name: string): Stream {
    const stream = this.#streams.get(name);
    if (!stream) throw new Error(`there is no stream ${name}`);
    return stream;
  }

  #info({ epoch, messages }: Stream): StreamInfo {
    return { epoch, first: 1, last: messages.length };
  }

  /** The way of a request; it fails in an outage, and when it is lost. */
  async #request(life: Life): Promise<void> {
    await life.delay(messageMs);
    if (!this.#state.up || this.#simulation.chance(this.losses.request))
      throw new BrokerUnavailable("nats.url: a request was lost");
  }

  async #append(life: Life, subject: string, data: Uint8Array, id: string): Promise<{ seq: number; duplicate: boolean }> {
    await this.#request(life);
    const stream = [...this.#streams.values()].find(({ definition }) => definition.subjects.some((one) => matches(one, subject)));
    if (!stream) throw new Error(`no stream takes ${subject}`);
    const known = stream.messages.find((message) => message.id === id);
    const seq = known?.seq ?? stream.messages.length + 1;
    if (!known) {
      stream.messages.push({ seq, subject, id, data, at: this.#simulation.now });
      for (const group of stream.groups.values()) group.waiting.push({ seq, attempt: 1 });
      this.#wake(stream);
    }
    // The answer takes the same way.
    await this.#request(life);
    return { seq, duplicate: known !== undefined };
  }

  async #publish(life: Life, subject: string, data: Uint8Array): Promise<void> {
    await this.#request(life);
    for (const one of this.#subscribers) {
      if (!matches(one.pattern, subject) || this.#simulation.chance(this.losses.publish)) continue;
      this.#simulation.schedule(this.#simulation.between(0, messageMs), () =>
        one.life.reach(() => {
          if (this.#subscribers.has(one)) one.handler({ subject, data });
        }),
      );
    }
  }

  #wake(stream: Stream): void {
    for (const group of stream.groups.values()) this.#deliver(stream, group);
    for (const read of [...stream.readers]) read();
  }

  #consume(life: Life, name: string, options: ConsumeOptions, handler: Handler) {
    const stream = this.#stream(name);
    return options.durable === undefined
      ? this.#follow(life, stream, options, handler)
      : this.#join(life, stream, options.durable, handler);
  }

  /** Every message from a position on, in order. */
  #follow(life: Life, stream: Stream, { start }: ConsumeOptions, handler: Handler) {
    let next = start === "all" ? 1 : start === "new" ? stream.messages.length + 1 : start.seq;
    let busy = false;
    let closed = false;
    const read = () => {
      const message = stream.messages[next - 1];
      if (busy || closed || life.isDead || !this.#state.up || !message) return;
      busy = true;
      this.#simulation.schedule(this.#simulation.between(0, messageMs), () =>
        life.reach(() => {
          const advanceBy = (advance: number) => {
            next += advance;
            busy = false;
            read();
          };
          void handler({ ...message, attempt: 1 }).then(
            () => advanceBy(1),
            () => this.#simulation.schedule(500, () => life.reach(() => advanceBy(0))),
          );
        }),
      );
    };
    stream.readers.add(read);
    life.onEnd(() => stream.readers.delete(read));
    read();
    return {
      close: async () => {
        closed = true;
        stream.readers.delete(read);
      },
    };
  }

  #join(life: Life, stream: Stream, durable: string, handler: Handler) {
    const group = stream.groups.get(durable) ?? {
      members: [],
      waiting: stream.messages.map(({ seq }) => ({ seq, attempt: 1 })),
    };
    stream.groups.set(durable, group);
    const member: Member = { life, handler, busy: false, closed: false };
    group.members.push(member);
    this.#deliver(stream, group);
    return {
      close: async () => {
        member.closed = true;
      },
    };
  }

  #deliver(stream: Stream, group: Group): void {
    for (;;) {
      const free = group.members.filter(({ busy, closed, life }) => !busy && !closed && !life.isDead);
      if (free.length === 0 || group.waiting.length === 0 || !this.#state.up) return;
      this.#hand(stream, group, this.#simulation.pick(free), group.waiting.shift()!);
    }
  }

  #hand(stream: Stream, group: Group, member: Member, { seq, attempt }: { seq: number; attempt: number }): void {
    member.busy = true;
    let settled = false;
    const end = (again: boolean) => {
      if (settled) return;
      settled = true;
      if (again) group.waiting.push({ seq, attempt: attempt + 1 });
      this.#deliver(stream, group);
    };
    this.#simulation.schedule(ackWaitMs, () => end(true));
    this.#simulation.schedule(this.#simulation.between(0, messageMs), () =>
      member.life.reach(() => {
        const message = { ...stream.messages[seq - 1]!, attempt };
        const free = () => {
          member.busy = false;
          this.#deliver(stream, group);
        };
        void member.handler(message).then(
          () => {
            if (!this.#simulation.chance(this.losses.ack)) end(false);
            free();
          },
          () => {
            this.#simulation.schedule(1000, () => end(true));
            free();
          },
        );
      }),
    );
  }
}

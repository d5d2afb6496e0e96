import { noTracing } from "#core/ports/index.ts";
import type {
  Broker,
  Database,
  EventMessage,
  EventReaction,
  Log,
  Metrics,
  StreamMessage,
  Subscription,
  Tasks,
  Tracing,
} from "#core/ports/index.ts";
import { react } from "./react.ts";
import { retriedReaction } from "./retried.ts";
import { decodeEvent, eventStream, UnreadableEvent } from "./wire.ts";

export interface ReactionsOptions {
  readonly db: Database;
  readonly broker: Broker;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing;
  readonly tasks: Tasks;
  readonly reactions: readonly EventReaction[];
}

/** The durable consumer that all processes share. */
const durable = "reactions";
const retryMs = 1000;

/** Delivers each event to the features that react to it, once per reaction, even across crashes. */
export class Reactions {
  readonly #options: ReactionsOptions;
  readonly #byType: Map<string, EventReaction[]>;
  readonly #handled;
  #open: Subscription | null = null;

  constructor(options: ReactionsOptions) {
    this.#options = options;
    const seen = new Set<string>();
    for (const { consumer } of options.reactions) {
      if (seen.has(consumer)) throw new Error(`two reactions are named ${consumer}`);
      seen.add(consumer);
    }
    this.#byType = Map.groupBy(options.reactions, (r) => r.event.id);
    this.#handled = options.metrics.counter("rollcall_reactions_total", "Events handled by reactions", ["consumer", "outcome"]);
  }

  /** Resolves even if the broker is down, and begins when it is up. */
  async start(): Promise<void> {
    this.#open = await this.#options.broker.consume(eventStream.name, { durable, start: "all" }, (m) => this.#receive(m));
  }

  async close(): Promise<void> {
    await this.#open?.close();
  }

  async #receive(stored: StreamMessage): Promise<void> {
    const message = this.#decode(stored);
    if (!message) return;
    const failures: unknown[] = [];
    for (const reaction of this.#byType.get(message.type) ?? []) {
      try {
        const outcome = await this.#traced(reaction, message);
        this.#handled.inc({ consumer: reaction.consumer, outcome });
      } catch (error) {
        this.#handled.inc({ consumer: reaction.consumer, outcome: "failed" });
        this.#options.log.error(
          {
            err: error,
            consumer: reaction.consumer,
            event: message.type,
            eventId: message.eventId,
            attempt: stored.attempt,
          },
          "a reaction failed and will be tried again",
        );
        await this.#tryLater(reaction, message).catch((failure: unknown) => failures.push(failure));
      }
    }
    // Without the database the broker brings the event again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} reactions to ${message.type} failed`);
  }

  /** An unreadable event stays unreadable, so it is skipped. */
  #decode(stored: StreamMessage): EventMessage | null {
    try {
      return decodeEvent(stored.data);
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      this.#options.log.error({ err: error, seq: stored.seq }, "an event is skipped");
      return null;
    }
  }

  /** Continues the trace of the event's cause; without one there is no span. */
  async #traced(reaction: EventReaction, message: EventMessage): Promise<"done" | "duplicate"> {
    const { tracing = noTracing } = this.#options;
    const attributes = {
      "messaging.operation.name": "process",
      "messaging.destination.name": message.type,
      "messaging.consumer.group.name": reaction.consumer,
    };
    const options = { kind: "consumer", within: true, attributes } as const;
    return await tracing.from(
      message.trace,
      async () => await tracing.span(`process ${message.type}`, options, async () => await this.#react(reaction, message)),
    );
  }

  async #react(reaction: EventReaction, message: EventMessage): Promise<"done" | "duplicate"> {
    const { db } = this.#options;
    return await db.write(reaction.consumer, async (tx) => await react(db, tx, reaction, message));
  }

  /** The reaction is tried again as a worker task, so that later events need not wait for it. */
  async #tryLater({ consumer }: EventReaction, message: EventMessage): Promise<void> {
    const { db, tasks } = this.#options;
    await db.write("outbox.tryLater", async (tx) => {
      const dueAt = (await db.now(tx)) + retryMs;
      await tasks.enqueue(tx, retriedReaction, { payload: { consumer, message }, key: `${consumer}:${message.eventId}`, dueAt });
    });
  }
}

export function createReactions(options: ReactionsOptions): Reactions {
  return new Reactions(options);
}

import { DuplicateKey, queries } from "#core/db/index.ts";
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
  Tracing,
  Tx,
} from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { decodeEvent, eventStream, UnreadableEvent } from "./wire.ts";

export interface ReactionsParts {
  readonly db: Database;
  readonly broker: Broker;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing;
  readonly reactions: readonly EventReaction[];
}

/** The durable consumer that all processes share. */
const durable = "reactions";

/** Gives each event to the features that react to it, once per reaction, also over crashes. */
export class Reactions {
  readonly #parts: ReactionsParts;
  readonly #byType: Map<string, EventReaction[]>;
  readonly #handled;
  #open: Subscription | null = null;

  constructor(parts: ReactionsParts) {
    this.#parts = parts;
    const seen = new Set<string>();
    for (const { consumer } of parts.reactions) {
      if (seen.has(consumer)) throw new Error(`two reactions are named ${consumer}`);
      seen.add(consumer);
    }
    this.#byType = Map.groupBy(parts.reactions, (r) => r.event.id);
    this.#handled = parts.metrics.counter("rollcall_reactions_total", "Events handled by reactions", ["consumer", "outcome"]);
  }

  /** While the broker is down it resolves too, and begins when the broker is back. */
  async start(): Promise<void> {
    this.#open = await this.#parts.broker.consume(eventStream.name, { durable, start: "all" }, (m) => this.#receive(m));
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
        this.#parts.log.error(
          {
            err: error,
            consumer: reaction.consumer,
            event: message.type,
            eventId: message.eventId,
            attempt: stored.attempt,
          },
          "a reaction failed and is tried again",
        );
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} reactions to ${message.type} failed`);
  }

  /** An unreadable event stays unreadable, so it is passed over. */
  #decode(stored: StreamMessage): EventMessage | null {
    try {
      return decodeEvent(stored.data);
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      this.#parts.log.error({ err: error, seq: stored.seq }, "an event is skipped");
      return null;
    }
  }

  /** Belongs to the trace of what emitted the event; without one it has none either. */
  async #traced(reaction: EventReaction, message: EventMessage): Promise<"done" | "duplicate"> {
    const { tracing = noTracing } = this.#parts;
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

  #react(reaction: EventReaction, message: EventMessage): Promise<"done" | "duplicate"> {
    return this.#parts.db.write(reaction.consumer, async (tx) => {
      if (!(await this.#first(tx, reaction.consumer, message.eventId))) return "duplicate";
      await reaction.handle(tx, message);
      return "done";
    });
  }

  /** Records the event as handled by this consumer; false when it was before. */
  async #first(tx: Tx, consumer: string, eventId: string): Promise<boolean> {
    try {
      const handled_at = await this.#parts.db.now(tx);
      await queries<InfrastructureTables>(tx)
        .insertInto("outbox_inbox")
        .values({ consumer, event_id: eventId, handled_at })
        .execute();
      return true;
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
  }
}

export function createReactions(parts: ReactionsParts): Reactions {
  return new Reactions(parts);
}

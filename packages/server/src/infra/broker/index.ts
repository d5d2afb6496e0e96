import type { Broker } from "#core/ports/index.ts";
import { EmbeddedBroker } from "./embedded/broker.ts";
import type { EmbeddedInput } from "./embedded/client.ts";
import { metered } from "./metered.ts";
import { NatsBroker } from "./nats.ts";
import type { NatsInput } from "./nats/link.ts";
import type { BrokerInput } from "./options.ts";

export type { BrokerInput } from "./options.ts";

/**
 * Opens the broker of `nats.url`. Throws `BrokerUnavailable`, whose message is one line for the
 * operator, unless `start` is `background`.
 */
export async function openBroker(input: BrokerInput): Promise<Broker> {
  const broker =
    input.url.kind === "embedded"
      ? await new EmbeddedBroker(input as EmbeddedInput).start()
      : await new NatsBroker(input as NatsInput).start();
  return input.metrics ? metered(broker, input.metrics, input.clock) : broker;
}

import type { Broker } from "#core/ports/index.ts";
import { EmbeddedBroker } from "./embedded/broker.ts";
import type { EmbeddedInput } from "./embedded/client.ts";
import { metered } from "./metered.ts";
import type { NatsInput } from "./nats/link.ts";
import type { BrokerInput } from "./options.ts";

export type { BrokerInput } from "./options.ts";

/**
 * Opens the broker of `nats.url`. Throws `BrokerUnavailable`, whose message is one line for the
 * operator, unless `start` is `background`.
 */
export async function openBroker(input: BrokerInput): Promise<Broker> {
  const broker = await (input.url.kind === "embedded" ? new EmbeddedBroker(input as EmbeddedInput) : await nats(input)).start();
  return input.metrics ? metered(broker, input.metrics, input.clock) : broker;
}

/** The NATS client is loaded only when it is used. */
async function nats(input: BrokerInput): Promise<Broker & { start(): Promise<Broker> }> {
  const { NatsBroker } = await import("./nats.ts");
  return new NatsBroker(input as NatsInput);
}

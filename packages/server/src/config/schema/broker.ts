import { hideBrokerCredentials, parseBrokerUrl } from "../brokerUrl.ts";
import { plain } from "../tree.ts";
import { numeric, textual } from "./kinds.ts";

const inEffect = true;

export const nats = {
  url: textual(
    {
      required: true,
      secret: true,
      inEffect,
      example: '"nats://user:password@127.0.0.1:4222"',
      meaning:
        "The message broker: a NATS server with JetStream, a comma-separated list of a cluster's servers, or embedded: for the one inside Rollcall.",
    },
    {
      parse: parseBrokerUrl,
      mustDiffer: false,
      show: (node) => (node.kind === "scalar" ? hideBrokerCredentials(node.text) : plain(node)),
    },
  ),
  replicas: numeric({ default: 1, inEffect, meaning: "Copies of each stream and bucket in a cluster." }, { min: 1, max: 5 }),
};

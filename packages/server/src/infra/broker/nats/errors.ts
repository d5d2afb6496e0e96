import { JetStreamApiError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { BrokerUnavailable, MessageTooLarge, RevisionConflict } from "#core/ports/index.ts";

/** Error codes of the JetStream API that are handled. */
const code = {
  consumerNotFound: 10014,
  wrongLastSequence: 10071,
  streamNotFound: 10059,
  tooBig: [10054, 10062],
  /** Not clustered, no suitable peers, insufficient resources. */
  tooFewServers: [10074, 10005, 10023],
} as const;

function apiCode(error: unknown): number | null {
  return error instanceof JetStreamApiError ? error.code : null;
}

export function isStreamMissing(error: unknown): boolean {
  return apiCode(error) === code.streamNotFound;
}

export function isConsumerMissing(error: unknown): boolean {
  return apiCode(error) === code.consumerNotFound;
}

export function isTooFewServers(error: unknown): boolean {
  return (code.tooFewServers as readonly number[]).includes(apiCode(error) ?? 0);
}

/** No responder: JetStream is off or still starting, or the stream of the subject is missing. */
export function isNoResponder(error: unknown): boolean {
  return (
    (error instanceof Error && error.name === "JetStreamNotEnabled") ||
    error instanceof errors.NoRespondersError ||
    (error instanceof errors.RequestError && error.isNoResponders())
  );
}

/** Converts errors of the client library to those of the port. */
export function translate(error: unknown): unknown {
  if (error instanceof BrokerUnavailable) return error;
  if (apiCode(error) === code.wrongLastSequence) {
    return new RevisionConflict("the key changed since it was read", { cause: error });
  }
  if ((code.tooBig as readonly number[]).includes(apiCode(error) ?? 0)) {
    return new MessageTooLarge("the broker refused the size of the message", { cause: error });
  }
  const outage =
    isNoResponder(error) ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.ConnectionError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError ||
    error instanceof errors.RequestError ||
    (error instanceof JetStreamApiError && error.status >= 500) ||
    (error instanceof Error && error.name === "TimeoutError");
  if (!outage) return error;
  return new BrokerUnavailable(`the broker did not answer: ${(error as Error).message}`, { cause: error });
}

/** One line for the operator about why the first connection failed. */
export function connectLine(error: unknown, servers: readonly string[]): string {
  const where = servers.join(", ");
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof BrokerUnavailable) return message;
  if (error instanceof errors.AuthorizationError || /authoriz|authentication/i.test(message)) {
    return `nats.url: ${where} refused the user name, password or token; correct them in nats.url`;
  }
  if (isNoResponder(error) || apiCode(error) === 10039 || apiCode(error) === 10076) {
    return `nats.url: JetStream is not enabled on ${where}; start nats-server with -js (or "jetstream {}" in its configuration) and allow it for this account`;
  }
  return `nats.url: cannot reach ${where} (${message}); start the server or correct nats.url`;
}

import { connect } from "node:net";
import type { Clock } from "#core/ports/index.ts";

/** The first bytes that a NATS server sends, before any request. */
const greeting = "INFO ";

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port` or `[address]:port`. */
function addressOf(server: string): Address {
  const at = server.lastIndexOf(":");
  return { host: server.slice(0, at).replace(/^\[(.*)\]$/, "$1"), port: Number(server.slice(at + 1)) };
}

/** Waits for a server's greeting and disconnects. Rejects with what happened instead. */
async function greeted(server: string, clock: Clock, limitMs: number, enough: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(addressOf(server));
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    if (received.startsWith(greeting)) resolve(server);
    else if (!greeting.startsWith(received)) reject(new Error("it is not a NATS server"));
  });
  socket.on("error", (error: NodeJS.ErrnoException) =>
    reject(error.code === "ECONNREFUSED" ? new Error("connection refused") : error),
  );
  socket.on("close", () => reject(new Error("it closed the connection")));
  enough.addEventListener("abort", () => reject(new Error("another server greeted first")));
  const limit = clock.setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  try {
    return await promise;
  } finally {
    limit.cancel();
    socket.destroy();
  }
}

/**
 * Returns the servers with the fastest one first. The client library tries one server after the other,
 * and never closes the connection to one that sends nothing. Rejects with the first server's error if
 * none sends a greeting.
 */
export async function greetingFirst(servers: readonly string[], clock: Clock, limitMs: number): Promise<string[]> {
  const enough = new AbortController();
  try {
    const first = await Promise.any(servers.map(async (server) => await greeted(server, clock, limitMs, enough.signal)));
    return [first, ...servers.filter((server) => server !== first)];
  } catch (error) {
    throw (error as AggregateError).errors[0];
  } finally {
    enough.abort();
  }
}

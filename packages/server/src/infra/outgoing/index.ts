import type { Dispatcher } from "undici";
import { assertOutsideUnitOfWork } from "#core/db/unit-of-work.ts";
import { type Clock, type Outgoing, type OutgoingAnswer, OutgoingFailed, type OutgoingRequest } from "#core/ports/index.ts";
import { version } from "#core/version.ts";
import { plainHost } from "./addresses.ts";
import type { Connections } from "./connect.ts";
import { type Reach, realReach } from "./reach.ts";

const usualTimeoutMs = 10_000;
const usualMaxBytes = 1_000_000;
const usualRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

export interface OutgoingOptions {
  readonly clock: Clock;
  /** By default the system's name resolution and the public internet. */
  readonly reach?: Reach;
}

function addressOf(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new OutgoingFailed("badUrl", "not a URL");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new OutgoingFailed("badUrl", `${url.protocol} is not supported`);
  if (url.username !== "" || url.password !== "") throw new OutgoingFailed("badUrl", "URLs with credentials are not supported");
  url.hash = "";
  return url;
}

function tooLarge(maxBytes: number): OutgoingFailed {
  return new OutgoingFailed("tooLarge", `the answer is larger than ${maxBytes} bytes`);
}

async function bodyOf({ headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

function plainHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")]])),
  );
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !["authorization", "cookie", "traceparent"].includes(name.toLowerCase())),
  );
}

/**
 * Sends requests with the restrictions of `AddressOrigin`. A redirect of an endpoint to another host is
 * treated as supplied. Proxies of the environment are not used, and nothing is decompressed.
 */
export function createOutgoing({ clock, reach = realReach }: OutgoingOptions): Outgoing {
  let opened: Promise<Connections> | null = null;
  // Loaded with the first request, because many processes never need the client.
  const connections = () => (opened ??= import("./connect.ts").then(({ openConnections }) => openConnections(reach)));

  async function exchange(
    given: OutgoingRequest,
    signal: AbortSignal,
    { send, any }: Connections,
    forSupplied: Dispatcher,
  ): Promise<OutgoingAnswer> {
    const { method = "GET", maxBytes = usualMaxBytes, body } = given;
    const left = method === "POST" ? 0 : (given.maxRedirects ?? usualRedirects);
    const first = addressOf(given.url);
    let headers: Record<string, string> = {
      "user-agent": `Rollcall/${version}`,
      ...given.headers,
      "accept-encoding": "identity",
    };
    let url = first;
    for (let followed = 0; ; followed += 1) {
      const trusted = given.from === "endpoint" && url.host === first.host;
      if (!trusted && given.reach && !given.reach.host(plainHost(url)))
        throw new OutgoingFailed("refusedHost", `${url.hostname} is not an allowed host`);
      const answer = await send(url, {
        method,
        headers,
        signal,
        dispatcher: trusted ? any : forSupplied,
        ...(body === undefined ? {} : { body }),
      });
      const location = redirects.has(answer.statusCode) && left > 0 ? answer.headers["location"] : undefined;
      try {
        if (typeof location !== "string") {
          const bytes = await bodyOf(answer, maxBytes);
          return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: bytes, url: url.href };
        }
      } finally {
        answer.body.on("error", () => undefined).destroy();
      }
      if (followed >= left) throw new OutgoingFailed("tooManyRedirects", `more than ${left} redirects`);
      const next = addressOf(location, url.href);
      if (next.origin !== url.origin) headers = withoutCredentials(headers);
      url = next;
    }
  }

  return {
    async request(given) {
      assertOutsideUnitOfWork("call another server");
      const { timeoutMs = usualTimeoutMs } = given;
      const controller = new AbortController();
      const timer = clock.setTimeout(() => controller.abort(), timeoutMs);
      let separate: Dispatcher | undefined;
      try {
        const to = await connections();
        separate = given.reach && to.by(given.reach);
        return await exchange(given, controller.signal, to, separate ?? to.public);
      } catch (error) {
        if (error instanceof OutgoingFailed) throw error;
        if (controller.signal.aborted) {
          throw new OutgoingFailed("timeout", `no complete answer within ${timeoutMs} ms`, { cause: error });
        }
        throw new OutgoingFailed("unreachable", (error as Error).message, { cause: error });
      } finally {
        timer.cancel();
        await separate?.destroy();
      }
    },
  };
}

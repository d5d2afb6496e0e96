import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { decodeTraces } from "./protobuf.testkit.ts";
import type { ReceivedSpan, Value } from "./spans.testkit.ts";

export type { ReceivedSpan } from "./spans.testkit.ts";

export interface ReceivedExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly compressed: boolean;
  readonly spans: readonly ReceivedSpan[];
}

/** A local collector that records what it receives. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly exports: ReceivedExport[];
  spans(): ReceivedSpan[];
  /** Resolves with the first value that `look` finds among the received spans. */
  seen<T>(look: (spans: readonly ReceivedSpan[]) => T | undefined | false): Promise<T>;
  close(): Promise<void>;
}

function receiver(port: number, exports: ReceivedExport[], listeners: Set<() => void>, end: () => Promise<void>): Receiver {
  const spans = () => exports.flatMap((one) => one.spans);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    exports,
    spans,
    close: end,
    seen: async (look) =>
      await new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(again);
          reject(
            new Error(
              `not among the spans: ${spans()
                .map(({ name }) => name)
                .join(", ")}`,
            ),
          );
        }, 20_000);
        const again = () => {
          const found = look(spans());
          if (found === undefined || found === false) return;
          clearTimeout(timer);
          listeners.delete(again);
          resolve(found);
        };
        listeners.add(again);
        again();
      }),
  };
}

type Json = {
  resourceSpans: {
    resource: { attributes: JsonAttribute[] };
    scopeSpans: { spans: JsonSpan[] }[];
  }[];
};
type JsonAttribute = { key: string; value: Record<string, Value> };
type JsonSpan = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code?: number };
  attributes?: JsonAttribute[];
  links?: { traceId: string }[];
};

const flat = (attributes: readonly JsonAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as Value]));

function readJson(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as Json;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        failed: span.status?.code === 2,
        attributes: flat(span.attributes ?? []),
        links: (span.links ?? []).map(({ traceId }) => traceId),
        resource: flat(resource.attributes),
      })),
    ),
  );
}

/** OTLP over HTTP in JSON, also from browsers of other origins. */
export async function receiveHttp(host = "127.0.0.1"): Promise<Receiver> {
  const exports: ReceivedExport[] = [];
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { origin } = request.headers;
      if (origin !== undefined) {
        response.setHeader("access-control-allow-origin", origin);
        response.setHeader("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "");
      }
      if (request.method === "OPTIONS") {
        response.writeHead(204).end();
        return;
      }
      const compressed = request.headers["content-encoding"] === "gzip";
      const body = Buffer.concat(parts);
      const spans = readJson((compressed ? gunzipSync(body) : body).toString());
      exports.push({ path: request.url ?? "", headers: request.headers, compressed, spans });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
      for (const look of [...listeners]) look();
    });
  }).listen(0, host);
  await once(server, "listening");
  return receiver((server.address() as AddressInfo).port, exports, listeners, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

/** One gRPC message: a byte for compression, four for the length, the message. */
function readGrpc(body: Buffer): { compressed: boolean; spans: ReceivedSpan[] } {
  const compressed = body[0] === 1;
  const message = body.subarray(5, 5 + body.readUInt32BE(1));
  return { compressed, spans: decodeTraces(compressed ? gunzipSync(message) : message) };
}

/** OTLP over gRPC, without TLS. */
export async function receiveGrpc(): Promise<Receiver> {
  const exports: ReceivedExport[] = [];
  const listeners = new Set<() => void>();
  const sessions = new Set<ServerHttp2Session>();
  const server = createHttp2Server();
  server.on("session", (session) => void sessions.add(session));
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    const parts: Buffer[] = [];
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => {
      exports.push({ path: headers[":path"] ?? "", headers, ...readGrpc(Buffer.concat(parts)) });
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.from([0, 0, 0, 0, 0]));
      for (const look of [...listeners]) look();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return receiver((server.address() as AddressInfo).port, exports, listeners, async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

/** Accepts connections and never answers. */
export async function receiveNothing(): Promise<{ url: string; requests(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  }).listen(0, "127.0.0.1");
  server.on("connection", (socket) => void sockets.add(socket));
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

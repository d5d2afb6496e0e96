import type { OperationDefinition } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import type { TracingSettings } from "#core/tracing.types.ts";
import type { Fetch } from "#core/transport.ts";

interface TracerOptions {
  readonly settings: TracingSettings;
  readonly version: string;
  readonly signedIn: () => boolean;
  readonly clock: Clock;
  /** Plain `fetch`. */
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
}

export interface Tracer {
  readonly fetch: Fetch;
  /** Sends all waiting spans now. */
  flush(): void;
}

type Attributes = Record<string, string | number>;

interface Call {
  readonly traceId: string;
  readonly spanId: string;
  readonly startedAt: number;
  readonly operation: Pick<OperationDefinition, "method" | "path">;
}

/** Most spans that wait; older ones are dropped. */
const MOST_WAITING = 200;
/** Most spans in one request; the server accepts no more. */
const BATCH = 100;
/** How long spans are collected before they are sent. Milliseconds. */
const DELAY = 5000;
/** Requests up to this size may outlive the page. Bytes. */
const KEEPALIVE_LIMIT = 60_000;
const CLIENT = 3;
const FAILED = 2;

function hex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`;

const shown = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: value } : { stringValue: value },
  }));

/** Measures calls of the API and posts the spans as OTLP in JSON. */
export function createTracer({ settings, version, signedIn, clock, send }: TracerOptions): Tracer {
  const relayed = settings.url.startsWith("/");
  const resource = {
    attributes: shown({
      "service.name": "rollcall-web",
      "service.version": version,
      "deployment.environment.name": settings.environment,
    }),
  };
  let waiting: unknown[] = [];
  let planned = false;

  function post(spans: readonly unknown[]): void {
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "rollcall-web", version }, spans }] }],
    });
    const headers = new Headers({ "content-type": "application/json" });
    if (relayed) headers.set("x-rollcall", "1");
    for (const [name, value] of Object.entries(settings.headers)) headers.set(name, value);
    const credentials = relayed ? "same-origin" : "omit";
    // Spans that do not arrive are lost: no call of the viewer waits for them.
    send(settings.url, { method: "POST", headers, body, credentials, keepalive: body.length < KEEPALIVE_LIMIT }).catch(
      () => undefined,
    );
  }

  function flush(): void {
    // The server accepts spans of signed-in viewers only: earlier spans are sent after the sign-in.
    if (relayed && !signedIn()) return;
    while (waiting.length > 0) post(waiting.splice(0, BATCH));
  }

  function plan(): void {
    if (planned) return;
    planned = true;
    clock.after(DELAY, () => {
      planned = false;
      flush();
      if (waiting.length > 0) plan();
    });
  }

  function end({ traceId, spanId, startedAt, operation }: Call, attributes: Attributes, failed: boolean): void {
    waiting.push({
      traceId,
      spanId,
      name: `${operation.method} ${operation.path}`,
      kind: CLIENT,
      startTimeUnixNano: nanoseconds(startedAt),
      endTimeUnixNano: nanoseconds(clock.now()),
      attributes: shown({ "http.request.method": operation.method, "url.template": operation.path, ...attributes }),
      status: failed ? { code: FAILED } : {},
    });
    if (waiting.length > MOST_WAITING) waiting = waiting.slice(-MOST_WAITING);
    plan();
  }

  return {
    flush,
    async fetch(url, init, operation) {
      const isKept = clock.random() < settings.ratio;
      const call: Call = { traceId: hex(16), spanId: hex(8), startedAt: clock.now(), operation };
      const traceparent = `00-${call.traceId}-${call.spanId}-${isKept ? "01" : "00"}`;
      const headers = { ...(init.headers as Record<string, string>), traceparent };
      try {
        const response = await send(url, { ...init, headers });
        if (isKept) end(call, { "http.response.status_code": response.status }, response.status >= 400);
        return response;
      } catch (error) {
        if (isKept) end(call, { "error.type": error instanceof Error ? error.name : "unknown" }, true);
        throw error;
      }
    },
  };
}

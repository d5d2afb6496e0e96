import { SpanKind as OtelKind } from "@opentelemetry/api";
import type { SpanKind } from "#core/ports/index.ts";

export const kinds: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
};

export const kindNames: Readonly<Record<OtelKind, SpanKind>> = {
  [OtelKind.INTERNAL]: "internal",
  [OtelKind.SERVER]: "server",
  [OtelKind.CLIENT]: "client",
  [OtelKind.PRODUCER]: "producer",
  [OtelKind.CONSUMER]: "consumer",
};

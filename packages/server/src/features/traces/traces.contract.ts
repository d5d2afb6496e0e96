import { Type, type Static } from "typebox";
import { access, defineErrors, defineOperation, inWords } from "#core/contract/index.ts";

export const tracesErrors = defineErrors("traces", {
  off: { status: 404 },
  notNow: { status: 400, params: ["name"] },
});

/** Most spans of one call. */
export const mostSpans = 100;

const TraceId = Type.String({ pattern: "^(?!0{32})[0-9a-f]{32}$", ...inWords("must be 32 hexadecimal digits") });
const SpanId = Type.String({ pattern: "^(?!0{16})[0-9a-f]{16}$", ...inWords("must be 16 hexadecimal digits") });
/** Nanoseconds since 1970, in decimal digits. */
const Nanoseconds = Type.String({ pattern: "^[0-9]{10,20}$", ...inWords("must be an instant in nanoseconds, in digits") });

const Attribute = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.Object({
    stringValue: Type.Optional(Type.String({ maxLength: 500 })),
    /** A number, or its digits. */
    intValue: Type.Optional(
      Type.Union([
        Type.Integer(),
        Type.String({ pattern: "^-?[0-9]{1,15}$", ...inWords("must be a whole number of at most 15 digits") }),
      ]),
    ),
    doubleValue: Type.Optional(Type.Number()),
    boolValue: Type.Optional(Type.Boolean()),
  }),
});

const BrowserSpan = Type.Object({
  traceId: TraceId,
  spanId: SpanId,
  parentSpanId: Type.Optional(SpanId),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  /** By the protocol: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Type.Optional(Type.Array(Attribute, { maxItems: 32 })),
  status: Type.Optional(Type.Object({ code: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })) })),
});
export type BrowserSpan = Static<typeof BrowserSpan>;

/** OTLP over HTTP in JSON. The resource of the request is replaced by the one of this instance. */
export const relayTraces = defineOperation({
  id: "traces.relay",
  method: "POST",
  path: "/api/traces",
  summary: "Forward spans of the browser to the collector",
  access: access.account(),
  rate: "write",
  bodyLimit: 128 * 1024,
  input: {
    body: Type.Object({
      resourceSpans: Type.Array(
        Type.Object({
          scopeSpans: Type.Array(Type.Object({ spans: Type.Array(BrowserSpan, { maxItems: mostSpans }) }), { maxItems: 4 }),
        }),
        { maxItems: 4 },
      ),
    }),
  },
  output: Type.Object({}),
  errors: [tracesErrors.off, tracesErrors.notNow],
  example: {
    body: {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: "0af7651916cd43dd8448eb211c80319c",
                  spanId: "b7ad6b7169203331",
                  name: "GET /api/citizens",
                  kind: 3,
                  startTimeUnixNano: "1790000000000000000",
                  endTimeUnixNano: "1790000000035000000",
                  attributes: [{ key: "http.request.method", value: { stringValue: "GET" } }],
                  status: { code: 0 },
                },
              ],
            },
          ],
        },
      ],
    },
    output: {},
  },
});

export const tracesContract = { operations: [relayTraces], errors: tracesErrors };

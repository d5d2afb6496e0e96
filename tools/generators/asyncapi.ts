import { stringify } from "yaml";
import {
  clientMessages,
  closeCodes,
  realtimeErrors,
  serverMessages,
  type StateTopic,
  type TopicDefinition,
} from "../../packages/server/src/core/contract/index.ts";
import { version } from "../../packages/server/src/core/version.ts";
import { features } from "../../packages/server/src/app/features.ts";

const frames = `Little endian. \`varint\`: LEB128 of a whole number. \`signed\`: its zigzag form. \`text\`: varint byte length, UTF-8.

u8 format (1) | u8 flags (bit 0: full) | u16 channel | f64 instant of the frame, ms UTC
varint number of removed entries, then the varint index of each
entries up to the end of the frame:
  varint index * 2 + named | text key, if named
  varint age in steps of 100 ms
  varint mask: bit i: field i follows; bit n + i, with n fields: it is null (with bit i) or no longer there (without bit i)
  the values of the fields that follow, in order

A full frame replaces all that is known of its channel; in others, fields left out keep their value.
Fields stand in the order of the topic's schema. integer: signed. number with \`precision\`: signed count
of it. other number: f64. boolean: u8. string: text. anything else: text of its JSON.`;

const overview = `One WebSocket for everything live. Messages are JSON text frames, except for state topics, whose
values come as binary frames. The first message is \`auth\`; nothing secret stands in the URL.

Event topics: every message counts. \`prev\` names the message before on this topic and connection;
when it is not the one that was seen, subscribe again with \`after\` = the last position seen. Then
\`resumed\` brings what was missed, and \`snapshot\` says to read by HTTP: events behind the position
of that answer follow. Apply rows by their version and drop older ones.

State topics: the latest value per key. Frames may be dropped for slow readers; a full one follows.
\`rate\` is the largest number of frames per second. A value that is not published again within
\`maxAgeMs\` is removed. With \`keepLatest\` values outlive the process that published them.`;

interface Named {
  readonly title?: string;
  readonly description?: string;
}

/** JSON without the markers that the schema library adds. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}

function messages(direction: "client" | "server", schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      `${direction}.${name}`,
      {
        name,
        contentType: "application/json",
        summary: (schema as Named).description ?? "",
        payload: plain(schema),
      },
    ]),
  );
}

function topicsOf(topics: readonly TopicDefinition[]): Record<string, unknown> {
  const sorted = topics.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    sorted.map((topic) => {
      const { name, kind, access, message, example } = topic;
      const { rate, maxAgeMs, keepLatest } = topic.kind === "state" ? topic : ({} as Partial<StateTopic>);
      const examples = example === undefined ? {} : { examples: [example] };
      return [name, plain({ kind, rate, maxAgeMs, keepLatest, access, message, ...examples })];
    }),
  );
}

/** The AsyncAPI document of `/api/realtime` with these topics. */
function asyncApiDocument(topics: readonly TopicDefinition[]): Record<string, unknown> {
  const all = {
    ...messages("client", clientMessages),
    ...messages("server", serverMessages),
    "server.frame": {
      name: "frame",
      contentType: "application/octet-stream",
      summary: "Values of a state topic.",
      description: frames,
    },
  };
  const names = Object.keys(all);
  const reference = (name: string) => ({ $ref: `#/channels/realtime/messages/${name}` });
  const operation = (action: string, summary: string, direction: string) => ({
    action,
    channel: { $ref: "#/channels/realtime" },
    summary,
    messages: names.filter((n) => n.startsWith(`${direction}.`)).map(reference),
  });
  return {
    asyncapi: "3.1.0",
    info: { title: "Rollcall live", version, description: overview },
    channels: {
      realtime: {
        address: "/api/realtime",
        messages: Object.fromEntries(names.map((n) => [n, { $ref: `#/components/messages/${n}` }])),
      },
    },
    operations: {
      toServer: operation("receive", "What clients send", "client"),
      toClient: operation("send", "What the server sends", "server"),
    },
    components: { messages: all },
    "x-topics": topicsOf(topics),
    "x-close-codes": closeCodes,
    "x-errors": Object.values(realtimeErrors).map(({ code, params }) => ({ code, params })),
  };
}

export const generator = {
  name: "asyncapi",
  async outputs(): Promise<Record<string, string>> {
    const document = asyncApiDocument(features.flatMap((feature) => feature.contract.topics ?? []));
    return {
      "docs/operate/realtime.asyncapi.yaml": stringify(document, {
        lineWidth: 110,
        aliasDuplicateObjects: false,
      }),
    };
  },
};

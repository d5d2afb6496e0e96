import { Type } from "typebox";
import type { Config } from "#config/index.ts";
import { access, defineEvent, defineOperation, defineSecretLink, defineTopic } from "#core/contract/index.ts";
import { bind, defineFeature } from "#core/feature.ts";

/** A public board: any number of calls, and a live topic. */
export const boardLink = defineSecretLink({
  id: "trialboards.board",
  operations: ["trialboards.read"],
  topics: ["trialboards"],
  maxAgeMs: 60 * 60_000,
  uses: null,
  budget: { perMinute: 5 },
});

/** Opens nothing that the board opens. */
export const feedLink = defineSecretLink({
  id: "trialboards.feed",
  operations: ["trialboards.feed"],
  topics: [],
  maxAgeMs: 60 * 60_000,
  uses: null,
  budget: { perMinute: 5 },
});

const output = Type.Object({ actor: Type.String(), subject: Type.String() });
const example = { output: { actor: "", subject: "" } };
const read = { method: "GET", summary: "", rate: "read", input: {}, output, example } as const;

export const readBoard = defineOperation({
  ...read,
  id: "trialboards.read",
  path: "/api/trial/board",
  access: access.link(boardLink),
});
export const readFeed = defineOperation({
  ...read,
  id: "trialboards.feed",
  path: "/api/trial/feed",
  access: access.link(feedLink),
});

export const boardChanged = defineEvent({
  id: "trialboards.changed",
  version: 1,
  payload: Type.Object({ subject: Type.String() }),
});
const boardTopic = defineTopic({
  name: "trialboards",
  kind: "event",
  access: access.link(boardLink),
  message: Type.Object({ subject: Type.String() }),
  example: { subject: "1" },
});

/** A feature whose operations and topic only links open. */
export const trialBoards = defineFeature<Config>({
  name: "trialboards",
  about: "",
  needs: [],
  contract: {
    operations: [readBoard, readFeed],
    events: [boardChanged],
    topics: [boardTopic],
    links: [boardLink, feedLink],
  },
  tables: [],
  create: () => ({
    routes: [readBoard, readFeed].map((operation) =>
      bind(operation, async (call) => ({ actor: call.actor.kind, subject: call.link().subject })),
    ),
    topics: [
      {
        topic: boardTopic,
        authorize: async () => null,
        authorizeLink: async ({ subject }) => ({
          class: subject,
          view: (data) => ((data as { subject: string }).subject === subject ? data : null),
        }),
        project: ({ type, payload }) => (type === boardChanged.id ? [{ key: null, data: payload }] : []),
      },
    ],
  }),
});

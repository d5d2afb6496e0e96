import { Type, type Static, type TSchema } from "typebox";
import { defineErrors } from "./errors.ts";
import { Instant, Nullable, OneOf } from "./ids.ts";

/**
 * The messages of `/api/realtime`: JSON text frames, one message each, and binary frames for state
 * topics (`realtime-state.ts`). The first message of a client is `auth`, or `link` without an account.
 */

/** A position in the stream behind all event topics. Sequences of different epochs cannot be compared. */
export const Position = Type.Object({
  epoch: Type.String({ maxLength: 80 }),
  seq: Type.Integer({ minimum: 0 }),
});
export type Position = Static<typeof Position>;

/**
 * Header of an answer to a GET with a session: `<seq> <epoch>` of a position whose changes the answer holds. A
 * topic that is subscribed to after it misses nothing.
 */
export const positionHeader = "x-rollcall-position";

const TopicName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "`citizens`, or `citizens/12` for one object",
});
const Token = Type.String({ minLength: 1, maxLength: 4096 });
const Params = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));

function message<const N extends string, P extends Record<string, TSchema>>(type: N, properties: P, description: string) {
  return Type.Object({ type: Type.Literal(type), ...properties }, { additionalProperties: false, title: type, description });
}

export const clientMessages = {
  auth: message("auth", { token: Token }, "First message: the user token."),
  link: message(
    "link",
    { secret: Type.String({ minLength: 1, maxLength: 200 }) },
    "First message instead of `auth`: the secret of a link. Only the topics that it opens can be subscribed to.",
  ),
  renew: message("renew", { token: Token }, "A fresh token of the same session and character, before the old one ends."),
  subscribe: message(
    "subscribe",
    { topic: TopicName, after: Type.Optional(Position) },
    "Starts a topic. `after` is the last position seen, to resume behind it; event topics only.",
  ),
  unsubscribe: message("unsubscribe", { topic: TopicName }, "Ends a topic."),
  ping: message("ping", {}, "Answered with `pong`."),
  pong: message("pong", {}, "Answer to the server's `ping`."),
};

export const ClientMessage = Type.Union(Object.values(clientMessages));
export type ClientMessage = {
  [K in keyof typeof clientMessages]: Static<(typeof clientMessages)[K]>;
}[keyof typeof clientMessages];

export const serverMessages = {
  ready: message(
    "ready",
    {
      connection: Type.String(),
      now: Instant,
      expiresAt: Instant,
      heartbeatMs: Type.Integer(),
      feed: Type.Boolean({ description: "False while the server itself receives no events" }),
      limits: Type.Object({ subscriptions: Type.Integer(), frameBytes: Type.Integer() }),
    },
    "The token or the link was accepted. The server sends something at least every `heartbeatMs`.",
  ),
  renewed: message("renewed", { expiresAt: Instant }, "The fresh token was accepted."),
  subscribed: message(
    "subscribed",
    {
      topic: TopicName,
      mode: OneOf(["live", "resumed", "snapshot", "state"], {
        description:
          "live: from this position on. resumed: what was missed follows, then what is new. " +
          "snapshot: the given or known position is lost; read by HTTP now, events behind this position follow. " +
          "state: binary frames of `channel` follow, the first one full.",
      }),
      epoch: Type.String(),
      seq: Type.Integer({ minimum: 0 }),
      channel: Nullable(Type.Integer({ minimum: 0, maximum: 65_535 })),
    },
    "The topic runs. Sent again with mode snapshot when continuity breaks, and with another channel when the rights changed.",
  ),
  refused: message("refused", { topic: TopicName, code: Type.String(), params: Params }, "The topic was not started."),
  revoked: message(
    "revoked",
    { topic: TopicName, code: Type.String(), params: Params },
    "The topic ended because rights changed.",
  ),
  rights: message("rights", {}, "The viewer's rights changed: get a fresh user token and `renew` with it."),
  unsubscribed: message("unsubscribed", { topic: TopicName }, "The topic ended as asked."),
  event: message(
    "event",
    {
      topic: TopicName,
      epoch: Type.String(),
      seq: Type.Integer({ minimum: 1 }),
      prev: Type.Integer({
        minimum: 0,
        description:
          "`seq` of the message before on this topic and connection; another value means a gap: subscribe again with `after`",
      }),
      kind: Type.String({ description: "The event's ID, `<feature>.<name>`" }),
      at: Instant,
      data: Type.Unknown(),
    },
    "Something happened. `at` is when.",
  ),
  feed: message("feed", { up: Type.Boolean(), since: Instant }, "The server lost or regained its own source of events."),
  error: message("error", { code: Type.String(), params: Params }, "What was wrong; the connection is closed next."),
  ping: message("ping", {}, "To be answered with `pong`."),
  pong: message("pong", {}, "Answer to the client's `ping`."),
};

export const ServerMessage = Type.Union(Object.values(serverMessages));
export type ServerMessage = {
  [K in keyof typeof serverMessages]: Static<(typeof serverMessages)[K]>;
}[keyof typeof serverMessages];
export type SubscribedMessage = Static<typeof serverMessages.subscribed>;
export type LiveEvent = Static<typeof serverMessages.event>;

/** Close codes; after those marked `again` a client reconnects and resumes. */
export const closeCodes = {
  /** The server stops; another one takes the new connection. again */
  restart: 1012,
  frameTooLarge: 1009,
  /** The first message had no valid token, or the renewed token belongs to another session or character. */
  unauthenticated: 4001,
  badMessage: 4002,
  tooManyConnections: 4003,
  /** The session ended or the account may not use this character any more. */
  sessionEnded: 4004,
  /** The link was revoked or used up, or has expired. */
  linkEnded: 4005,
  /** A socket of a feature: the viewer may not, or may no longer, use its object. */
  forbidden: 4007,
  /** The client read too slowly. again */
  slowReader: 4008,
  /** The token expired: a fresh one is needed. again */
  tokenExpired: 4009,
  /** The client sent nothing for too long. again */
  silent: 4010,
  tooManyMessages: 4029,
} as const;

export const realtimeErrors = defineErrors("realtime", {
  unauthenticated: { status: 401 },
  badMessage: { status: 400, params: ["reason"] },
  unknownTopic: { status: 404, params: ["topic"] },
  forbidden: { status: 403, params: ["topic", "permissions"] },
  tooManySubscriptions: { status: 429, params: ["limit"] },
  tooManyConnections: { status: 429, params: ["limit"] },
  tooManyMessages: { status: 429, params: ["limit"] },
  tooManyWaiting: { status: 429, params: ["limit", "seconds"] },
  busy: { status: 503, params: ["limit", "seconds"] },
  unavailable: { status: 503, params: ["topic"] },
});

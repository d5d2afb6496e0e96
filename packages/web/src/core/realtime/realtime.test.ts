import { describe, expect, it } from "vitest";
import { closeCodes, type ClientMessage, type ServerMessage } from "@rollcall/server/contract/core";
import { settle, testClock } from "#core/testkit.ts";
import { createConnection, type Socket } from "./connection.ts";
import { createTopics, type TopicListener } from "./topics.ts";

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: ClientMessage[] = [];
  closed = false;
  readyState = 1;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    this.closed = true;
  }
  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const ready: ServerMessage = {
  type: "ready",
  connection: "c1",
  now: 0,
  expiresAt: 0,
  heartbeatMs: 20_000,
  feed: true,
  limits: { subscriptions: 10, frameBytes: 1000 },
};

function line({ watched = false } = {}) {
  const clock = testClock();
  const sockets: FakeSocket[] = [];
  const log: string[] = [];
  let tokens = 0;
  let current = "t0";
  const connection = createConnection({
    clock,
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    token: () => Promise.resolve(current),
    refused: (token) => {
      log.push(`refused ${token}`);
      tokens += 1;
      current = `t${tokens}`;
    },
    onReady: () => log.push("ready"),
    onMessage: () => undefined,
    watched: () => watched,
  });
  const last = () => sockets.at(-1)!;
  const signIn = async () => {
    last().onopen?.();
    await settle();
    last().say(ready);
  };
  return { clock, sockets, log, connection, last, signIn, newToken: (token: string) => (current = token) };
}

describe("createConnection", () => {
  it("signs in with the first message and is up when the server agrees", async () => {
    const { connection, last, log, signIn } = line();
    connection.start();
    expect(connection.status.get().state).toBe("connecting");
    await signIn();
    expect(last().sent).toEqual([{ type: "auth", token: "t0" }]);
    expect(connection.status.get().state).toBe("up");
    expect(log).toEqual(["ready"]);
  });

  it("reconnects with growing pauses, reports that it is lost, and is up again", async () => {
    const { connection, last, sockets, clock, signIn } = line();
    connection.start();
    await signIn();
    last().onclose?.({ code: 1006 });
    expect(connection.status.get().state).toBe("connecting");
    await clock.advance(375);
    expect(sockets).toHaveLength(2);
    last().onclose?.({ code: 1006 });
    expect(connection.status.get().state).toBe("lost");
    await clock.advance(374);
    expect(sockets).toHaveLength(2);
    await clock.advance(376);
    expect(sockets).toHaveLength(3);
    await signIn();
    expect(connection.status.get().state).toBe("up");
  });

  it("never waits longer than half a minute", async () => {
    const { connection, last, sockets, clock } = line();
    connection.start();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      last().onclose?.({ code: 1006 });
      const before = sockets.length;
      await clock.advance(30_000);
      expect(sockets.length).toBeGreaterThan(before);
    }
  });

  it("sends a ping after silence and abandons a dead connection", async () => {
    const { connection, last, sockets, clock, signIn } = line();
    connection.start();
    await signIn();
    const first = last();
    await clock.advance(25_000);
    expect(first.sent.at(-1)).toEqual({ type: "ping" });
    first.say({ type: "pong" });
    await clock.advance(25_000);
    expect(first.sent.filter(({ type }) => type === "ping")).toHaveLength(2);
    await clock.advance(10_000);
    expect(first.closed).toBe(true);
    await clock.advance(1_000);
    expect(sockets).toHaveLength(2);
  });

  it("checks the connection at once after sleep", async () => {
    const { connection, last, clock, signIn } = line();
    connection.start();
    await signIn();
    connection.check();
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    await clock.advance(10_000);
    expect(connection.status.get().state).toBe("connecting");
  });

  it.each([
    ["a silent one, by a ping that is not answered", (_socket: FakeSocket) => undefined],
    ["a closed one, while its successor does not open", (socket: FakeSocket) => socket.onclose?.({ code: 1006 })],
  ])("of a page that is looked at is lost within two seconds: %s", async (_what, breakLine) => {
    const { connection, last, clock, signIn } = line({ watched: true });
    connection.start();
    await signIn();
    breakLine(last());
    await clock.advance(1_000);
    expect(connection.status.get().state).not.toBe("lost");
    await clock.advance(1_000);
    expect(connection.status.get().state).toBe("lost");
  });

  it("is up again when a late answer arrives, and is patient with a slow network from then on", async () => {
    const { connection, last, sockets, clock, signIn } = line({ watched: true });
    connection.start();
    await signIn();
    await clock.advance(2_200);
    expect(connection.status.get().state).toBe("lost");
    last().say({ type: "pong" });
    expect(connection.status.get().state).toBe("up");
    await clock.advance(2_200);
    expect(connection.status.get().state).toBe("up");
    expect(sockets).toHaveLength(1);
  });

  it("is lost as soon as the browser is offline, and up with the next message", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    connection.offline();
    expect(connection.status.get().state).toBe("lost");
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    last().say({ type: "pong" });
    expect(connection.status.get().state).toBe("up");
  });

  it("answers the server's pings", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().say({ type: "ping" });
    expect(last().sent.at(-1)).toEqual({ type: "pong" });
  });

  it("sends nothing on a connection that the server is closing", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().readyState = 2;
    last().say({ type: "ping" });
    expect(last().sent.map(({ type }) => type)).toEqual(["auth"]);
  });

  it("reconnects when the token arrives on a connection that closes and never reports it", async () => {
    const { connection, last, sockets, clock } = line();
    connection.start();
    last().onopen?.();
    last().readyState = 2;
    await settle();
    expect(last().sent).toEqual([]);
    await clock.advance(11_000);
    expect(sockets).toHaveLength(2);
  });

  it("takes a new token when the old one was not accepted", async () => {
    const { connection, last, log, clock } = line();
    connection.start();
    last().onopen?.();
    await settle();
    last().onclose?.({ code: closeCodes.tokenExpired });
    expect(log).toEqual(["refused t0"]);
    await clock.advance(1_000);
    last().onopen?.();
    await settle();
    expect(last().sent).toEqual([{ type: "auth", token: "t1" }]);
  });

  it("sends each new token of the session once over a running connection", async () => {
    const { connection, last, signIn, newToken } = line();
    connection.start();
    await signIn();
    connection.tokenChanged();
    await settle();
    expect(last().sent).toHaveLength(1);
    newToken("fresh");
    connection.tokenChanged();
    await settle();
    expect(last().sent.at(-1)).toEqual({ type: "renew", token: "fresh" });
  });

  it("reports when the server itself receives no events", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().say({ type: "feed", up: false, since: 0 });
    expect(connection.status.get().state).toBe("stale");
    last().say({ type: "ping" });
    expect(connection.status.get().state).toBe("stale");
    last().say({ type: "feed", up: true, since: 0 });
    expect(connection.status.get().state).toBe("up");
  });

  it("does not reconnect once it is stopped", async () => {
    const { connection, last, sockets, clock, signIn } = line();
    connection.start();
    await signIn();
    connection.stop();
    expect(last().closed).toBe(true);
    await clock.advance(600_000);
    expect(sockets).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });

  it("ignores malformed messages", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().onmessage?.({ data: "{" });
    last().onmessage?.({ data: "42" });
    last().onmessage?.({ data: new ArrayBuffer(2) });
    expect(connection.status.get().state).toBe("up");
  });
});

function topicsWith() {
  const sent: ClientMessage[] = [];
  const log: unknown[] = [];
  const topics = createTopics((message) => sent.push(message));
  const listener: TopicListener = {
    onEvent: (data) => log.push(data),
    onSnapshot: () => log.push("snapshot"),
  };
  const subscribed = (seq: number, mode: "live" | "resumed" | "snapshot" = "live", epoch = "e") =>
    topics.receive({ type: "subscribed", topic: "citizens", mode, epoch, seq, channel: null });
  const event = (seq: number, prev: number, data: unknown = seq, epoch = "e") =>
    topics.receive({
      type: "event",
      topic: "citizens",
      epoch,
      seq,
      prev,
      kind: "citizens.changed",
      at: 0,
      data,
    });
  return { topics, sent, log, listener, subscribed, event };
}

describe("createTopics", () => {
  it("subscribes once for many listeners and unsubscribes with the last", () => {
    const { topics, sent, listener } = topicsWith();
    const one = topics.listen("citizens", listener);
    const two = topics.listen("citizens", { ...listener });
    expect(sent).toEqual([{ type: "subscribe", topic: "citizens" }]);
    one();
    expect(sent).toHaveLength(1);
    two();
    expect(sent.at(-1)).toEqual({ type: "unsubscribe", topic: "citizens" });
  });

  it("requests a snapshot at the start, then passes events on", () => {
    const { topics, log, listener, subscribed, event } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    event(103, 100);
    event(107, 103);
    expect(log).toEqual(["snapshot", 103, 107]);
  });

  it("drops events that it already received", () => {
    const { topics, log, listener, subscribed, event } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    event(103, 100);
    event(103, 100);
    event(101, 100);
    expect(log).toEqual(["snapshot", 103]);
  });

  it("detects a gap, resubscribes from its position, and drops events until the answer", () => {
    const { topics, sent, log, listener, subscribed, event } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    event(109, 105);
    expect(sent.at(-1)).toEqual({ type: "subscribe", topic: "citizens", after: { epoch: "e", seq: 100 } });
    event(110, 109);
    expect(sent).toHaveLength(2);
    subscribed(100, "resumed");
    event(105, 100);
    event(109, 105);
    event(110, 109);
    expect(log).toEqual(["snapshot", 105, 109, 110]);
  });

  it("resumes from its position on a new connection", () => {
    const { topics, sent, listener, subscribed, event } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    event(103, 100);
    topics.ready();
    expect(sent.at(-1)).toEqual({ type: "subscribe", topic: "citizens", after: { epoch: "e", seq: 103 } });
  });

  it("requests a snapshot when the position is lost, and when the epoch changed", () => {
    const { topics, sent, log, listener, subscribed, event } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    subscribed(5, "snapshot", "f");
    event(6, 5, "a", "f");
    expect(log).toEqual(["snapshot", "snapshot", "a"]);
    event(7, 6, "b", "g");
    expect(sent.at(-1)).toEqual({ type: "subscribe", topic: "citizens", after: { epoch: "f", seq: 6 } });
  });

  it("requests a snapshot when rights are revoked, and resubscribes with a new token", () => {
    const { topics, sent, log, listener, subscribed } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    topics.receive({ type: "revoked", topic: "citizens", code: "realtime.forbidden", params: {} });
    expect(log).toEqual(["snapshot", "snapshot"]);
    topics.receive({ type: "renewed", expiresAt: 0 });
    expect(sent.at(-1)).toEqual({ type: "subscribe", topic: "citizens" });
  });

  it("tells a listener that comes later to read what it shows, unless that is as new as the topic", () => {
    const { topics, log, listener, subscribed, event } = topicsWith();
    topics.listen("citizens", listener);
    subscribed(100);
    event(103, 100);
    topics.listen("citizens", { ...listener, onSnapshot: () => log.push("late") });
    topics.listen("citizens", { ...listener, onSnapshot: () => log.push("current") }, { epoch: "e", seq: 103 });
    expect(log).toEqual(["snapshot", 103, "late"]);
  });

  it("continues behind the position that its first listener knows", () => {
    const { topics, sent, listener } = topicsWith();
    topics.listen("citizens", listener, { epoch: "e", seq: 40 });
    expect(sent).toEqual([{ type: "subscribe", topic: "citizens", after: { epoch: "e", seq: 40 } }]);
  });

  it("passes the position of snapshots and events on", () => {
    const { topics, subscribed, event } = topicsWith();
    const log: unknown[] = [];
    topics.listen("citizens", {
      onEvent: (data, position) => log.push([data, position]),
      onSnapshot: (position) => log.push(position),
    });
    subscribed(100);
    event(103, 100, "a");
    subscribed(5, "snapshot", "f");
    event(6, 5, "b", "f");
    topics.receive({ type: "revoked", topic: "citizens", code: "realtime.forbidden", params: {} });
    const at = (epoch: string, seq: number) => ({ epoch, seq });
    expect(log).toEqual([at("e", 100), ["a", at("e", 103)], at("f", 5), ["b", at("f", 6)], null]);
  });

  it("ignores topics without listeners", () => {
    const { topics, log, listener, event } = topicsWith();
    topics.listen("citizens", listener)();
    event(1, 0);
    expect(log).toEqual([]);
  });
});

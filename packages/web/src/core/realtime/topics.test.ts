import { describe, expect, it } from "vitest";
import { type ClientMessage, encodeStateFrame } from "@rollcall/server/contract/core";
import { createTopics, type TopicListener } from "./topics.ts";

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

  it("takes no frame of another topic for its own where a new connection gives its channel to that one", () => {
    const { topics } = topicsWith();
    const frames = { positions: 0, presence: 0 };
    const count = (name: keyof typeof frames) =>
      topics.listen(name, { onEvent: () => undefined, onSnapshot: () => undefined, onFrame: () => (frames[name] += 1) });
    const subscribed = (topic: string, channel: number) =>
      topics.receive({ type: "subscribed", topic, mode: "state", epoch: "e", seq: 1, channel });
    count("positions");
    count("presence");
    subscribed("positions", 3);
    subscribed("presence", 5);
    topics.ready();
    subscribed("presence", 3);
    topics.frame(encodeStateFrame([], { channel: 3, full: true, at: 0, removed: [], entries: [] }));
    expect(frames).toEqual({ positions: 0, presence: 1 });
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

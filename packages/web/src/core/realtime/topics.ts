import {
  channelOf,
  type ClientMessage,
  type LiveEvent,
  type Position,
  type ServerMessage,
  type SubscribedMessage,
} from "@rollcall/server/contract/core";
import { reaches } from "./position.ts";

export interface TopicListener {
  onEvent(data: unknown, position: Position): void;
  /**
   * Events before this position were missed: what does not hold them has to be read again. Null: the topic ended
   * because rights changed. `isOfServer`: the server says so of a topic that runs, perhaps because the viewer is of
   * another class now; an answer that holds every event may still be that of another viewer.
   */
  onSnapshot(position: Position | null, isOfServer: boolean): void;
  /** A binary frame of a state topic; the first one after `onSnapshot` is full. */
  onFrame?(frame: Uint8Array): void;
}

interface Topic {
  readonly name: string;
  readonly listeners: Set<TopicListener>;
  /** The last received position; null before the first answer. */
  position: Position | null;
  /** Of a state topic: the channel of its frames. */
  channel: number | null;
  /** Events before the answer to a subscription may have a gap; after a refusal none arrive. */
  state: "asked" | "flowing" | "refused";
}

export interface Topics {
  /**
   * Listens until the returned function is called. `after` is the position up to which the caller knows everything.
   * One who comes to a topic that runs gets `onSnapshot` unless `after` is as new.
   */
  listen(name: string, listener: TopicListener, after?: Position): () => void;
  /** A new connection: subscribes to all topics again, each from its last position. */
  ready(): void;
  receive(message: ServerMessage): void;
  frame(frame: Uint8Array): void;
}

/** Keeps the position in each topic, detects gaps and resumes after them. */
export function createTopics(send: (message: ClientMessage) => void): Topics {
  const topics = new Map<string, Topic>();

  function subscribe(topic: Topic): void {
    topic.state = "asked";
    // Each connection has channels of its own: this one may be that of another topic now.
    topic.channel = null;
    const { position } = topic;
    send({ type: "subscribe", topic: topic.name, ...(position ? { after: position } : {}) });
  }

  function subscribed(topic: Topic, { epoch, seq, mode, channel }: SubscribedMessage): void {
    topic.position = mode === "state" ? null : { epoch, seq };
    topic.channel = channel;
    topic.state = "flowing";
    // Without resumption the page may show data that is older than this position.
    if (mode !== "resumed") for (const listener of topic.listeners) listener.onSnapshot({ epoch, seq }, mode === "snapshot");
  }

  function event(topic: Topic, { epoch, seq, prev, data }: LiveEvent): void {
    const { position } = topic;
    if (topic.state !== "flowing" || !position) return;
    if (epoch === position.epoch && seq <= position.seq) return;
    if (epoch !== position.epoch || prev > position.seq) {
      subscribe(topic);
      return;
    }
    topic.position = { epoch, seq };
    for (const listener of topic.listeners) listener.onEvent(data, { epoch, seq });
  }

  /** What a topic that runs told before is lost for a new listener. */
  function late({ state, position }: Topic, listener: TopicListener, after: Position | undefined): void {
    if (state !== "flowing" || !position) return;
    if (!reaches(after, position)) listener.onSnapshot(position, false);
  }

  /** Rights changed: the page may show more than the viewer may see now, so it is read again. */
  function revoked(topic: Topic): void {
    topic.state = "refused";
    topic.position = null;
    topic.channel = null;
    for (const listener of topic.listeners) listener.onSnapshot(null, true);
  }

  return {
    listen(name, listener, after) {
      let topic = topics.get(name);
      if (topic) {
        topic.listeners.add(listener);
        late(topic, listener, after);
      } else {
        topic = { name, listeners: new Set([listener]), position: after ?? null, channel: null, state: "asked" };
        topics.set(name, topic);
        subscribe(topic);
      }
      const mine = topic;
      return () => {
        mine.listeners.delete(listener);
        if (mine.listeners.size > 0 || topics.get(name) !== mine) return;
        topics.delete(name);
        send({ type: "unsubscribe", topic: name });
      };
    },

    ready() {
      for (const topic of topics.values()) subscribe(topic);
    },

    frame(frame) {
      const channel = channelOf(frame);
      for (const topic of topics.values()) {
        if (topic.channel === channel) for (const listener of topic.listeners) listener.onFrame?.(frame);
      }
    },

    receive(message) {
      if (message.type === "renewed") {
        for (const topic of topics.values()) if (topic.state === "refused") subscribe(topic);
      }
      const topic = "topic" in message ? topics.get(message.topic) : undefined;
      if (!topic) return;
      if (message.type === "event") event(topic, message);
      else if (message.type === "subscribed") subscribed(topic, message);
      else if (message.type === "revoked") revoked(topic);
      else if (message.type === "refused") topic.state = "refused";
    },
  };
}

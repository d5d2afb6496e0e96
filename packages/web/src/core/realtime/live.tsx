import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from "react";
import type { EventDefinition, PayloadOf, TopicDefinition } from "@rollcall/server/contract/core";
import { systemClock } from "#core/clock.ts";
import { session } from "#core/services.ts";
import { useStore } from "#core/store.ts";
import { createConnection, type Connection, type LineStatus, type Socket } from "./connection.ts";
import { createTopics, type Topics } from "./topics.ts";

interface Line {
  readonly connection: Connection;
  readonly topics: Topics;
}

const LineContext = createContext<Line | null>(null);

function openSocket(): Socket {
  const address = new URL("/api/realtime", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  return socket as unknown as Socket;
}

function createLine(): Line {
  const connection = createConnection({
    open: openSocket,
    clock: systemClock,
    token: () => session.token(),
    refused: (token) => void session.renew(token),
    onReady: () => topics.ready(),
    onMessage: (message) => {
      if (message.type === "rights") session.renewRights().catch(() => undefined);
      topics.hear(message);
    },
    onFrame: (frame) => topics.frame(frame),
  });
  const topics = createTopics(connection.send);
  return { connection, topics };
}

/** One line for everything below it. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const [line] = useState(createLine);

  useEffect(() => {
    const { connection } = line;
    connection.start();
    const check = () => {
      if (document.visibilityState === "visible") connection.check();
    };
    document.addEventListener("visibilitychange", check);
    addEventListener("online", check);
    const stopFollowing = session.state.subscribe(() => {
      const state = session.state.get();
      if (state.phase === "acting" && !state.lost) connection.tokenChanged();
    });
    return () => {
      document.removeEventListener("visibilitychange", check);
      removeEventListener("online", check);
      stopFollowing();
      connection.stop();
    };
  }, [line]);

  return <LineContext value={line}>{children}</LineContext>;
}

function useLine(): Line {
  const line = useContext(LineContext);
  if (!line) throw new Error("no realtime line above this component");
  return line;
}

export function useLineStatus(): LineStatus {
  return useStore(useLine().connection.status);
}

/** Whether there is a line at all: there is none before a character is chosen. */
export function useHasLine(): boolean {
  return useContext(LineContext) !== null;
}

/** Tries at once instead of waiting for the next attempt. */
export function useReconnect(): () => void {
  const { connection } = useLine();
  return () => connection.check();
}

export type MessageOf<D extends TopicDefinition> = PayloadOf<EventDefinition<D["message"]>>;

export interface LiveHandlers<M> {
  /** `epoch`: of the stream that it came in. */
  onEvent(message: M, epoch: string): void;
  /** Read again: events were missed. Versions of another epoch mean nothing; null: none is known now. */
  onSnapshot(epoch: string | null): void;
}

/**
 * Follows a topic while the component is shown; `key` fills the part after the slash. Null for
 * `topic` follows nothing.
 */
export function useLive<D extends TopicDefinition>(
  topic: D | null,
  handlers: LiveHandlers<MessageOf<D>>,
  key?: string | number,
): void {
  const { topics } = useLine();
  const onEvent = useEffectEvent((data: unknown, epoch: string) => handlers.onEvent(data as MessageOf<D>, epoch));
  const onSnapshot = useEffectEvent((epoch: string | null) => handlers.onSnapshot(epoch));
  const name = topic ? topic.name.replace(/:\w+$/, String(key ?? "")) : null;

  useEffect(() => {
    if (name === null) return;
    return topics.listen(name, { onEvent: (data, epoch) => onEvent(data, epoch), onSnapshot: (epoch) => onSnapshot(epoch) });
  }, [topics, name]);
}

/** Follows a state topic frame by frame; `null` says that what was known may be wrong, and a full frame follows. */
export function useFrames(topic: string, onFrame: (frame: Uint8Array | null) => void): void {
  const { topics } = useLine();
  const heard = useEffectEvent(onFrame);
  useEffect(
    () =>
      topics.listen(topic, {
        onEvent: () => undefined,
        onSnapshot: () => heard(null),
        onFrame: (frame) => heard(frame),
      }),
    [topics, topic],
  );
}

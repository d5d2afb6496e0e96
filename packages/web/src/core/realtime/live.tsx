import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from "react";
import type { EventDefinition, PayloadOf, TopicDefinition } from "@rollcall/server/contract/core";
import { systemClock } from "#core/clock.ts";
import { session } from "#core/services.ts";
import { useStore } from "#core/store.ts";
import { createConnection, type Connection, type ConnectionStatus, type Socket } from "./connection.ts";
import { createTopics, type Topics } from "./topics.ts";

interface Link {
  readonly connection: Connection;
  readonly topics: Topics;
}

const LinkContext = createContext<Link | null>(null);

function openSocket(): Socket {
  const address = new URL("/api/realtime", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  return socket as unknown as Socket;
}

function createLink(): Link {
  const connection = createConnection({
    open: openSocket,
    clock: systemClock,
    token: () => session.token(),
    refused: (token) => void session.renew(token),
    onReady: () => topics.ready(),
    onMessage: (message) => {
      if (message.type === "rights") session.renewRights().catch(() => undefined);
      topics.receive(message);
    },
    onFrame: (frame) => topics.frame(frame),
  });
  const topics = createTopics(connection.send);
  return { connection, topics };
}

/** Provides one connection to all components below it. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const [link] = useState(createLink);

  useEffect(() => {
    const { connection } = link;
    connection.start();
    const check = () => {
      if (document.visibilityState === "visible") connection.check();
    };
    document.addEventListener("visibilitychange", check);
    addEventListener("online", check);
    const stopFollowing = session.state.subscribe(() => {
      const state = session.state.get();
      if (state.phase === "active" && !state.lost) connection.tokenChanged();
    });
    return () => {
      document.removeEventListener("visibilitychange", check);
      removeEventListener("online", check);
      stopFollowing();
      connection.stop();
    };
  }, [link]);

  return <LinkContext value={link}>{children}</LinkContext>;
}

function useLink(): Link {
  const link = useContext(LinkContext);
  if (!link) throw new Error("this component is not inside a RealtimeProvider");
  return link;
}

export function useConnectionStatus(): ConnectionStatus {
  return useStore(useLink().connection.status);
}

/** Whether there is a connection at all: there is none before a character is chosen. */
export function useHasConnection(): boolean {
  return useContext(LinkContext) !== null;
}

/** Returns a function that connects at once instead of waiting for the next attempt. */
export function useReconnect(): () => void {
  const { connection } = useLink();
  return () => connection.check();
}

export type MessageOf<D extends TopicDefinition> = PayloadOf<EventDefinition<D["message"]>>;

export interface LiveHandlers<M> {
  /** `epoch` is that of the message's stream. */
  onEvent(message: M, epoch: string): void;
  /** Events were missed: read the data again. Versions of another epoch are not comparable; null: the epoch is unknown. */
  onSnapshot(epoch: string | null): void;
}

/**
 * Follows a topic while the component is mounted. `key` is the part of the topic's name after the slash.
 * While `topic` is null it follows nothing.
 */
export function useLive<D extends TopicDefinition>(
  topic: D | null,
  handlers: LiveHandlers<MessageOf<D>>,
  key?: string | number,
): void {
  const { topics } = useLink();
  const onEvent = useEffectEvent((data: unknown, epoch: string) => handlers.onEvent(data as MessageOf<D>, epoch));
  const onSnapshot = useEffectEvent((epoch: string | null) => handlers.onSnapshot(epoch));
  const name = topic ? topic.name.replace(/:\w+$/, String(key ?? "")) : null;

  useEffect(() => {
    if (name === null) return;
    return topics.listen(name, { onEvent: (data, epoch) => onEvent(data, epoch), onSnapshot: (epoch) => onSnapshot(epoch) });
  }, [topics, name]);
}

/** Follows a state topic frame by frame; `null` means that the known state may be wrong and a full frame follows. */
export function useFrames(topic: string, onFrame: (frame: Uint8Array | null) => void): void {
  const { topics } = useLink();
  const receive = useEffectEvent(onFrame);
  useEffect(
    () =>
      topics.listen(topic, {
        onEvent: () => undefined,
        onSnapshot: () => receive(null),
        onFrame: (frame) => receive(frame),
      }),
    [topics, topic],
  );
}

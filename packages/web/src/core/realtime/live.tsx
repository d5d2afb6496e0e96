import { useContext, useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from "react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { EventTopic, MessageOf, Position } from "@rollcall/server/contract/core";
import { systemClock } from "#core/clock.ts";
import { readUnanswered } from "#core/queries.ts";
import { session, transport } from "#core/services.ts";
import { createStore } from "#core/store.ts";
import { createAnswers, nameOf } from "./answers.ts";
import { createConnection, type ConnectionStatus, type Socket } from "./connection.ts";
import { type Link, LinkContext } from "./link.ts";
import { createStates } from "./states.ts";
import { createTopics } from "./topics.ts";

function openSocket(): Socket {
  const address = new URL("/api/realtime", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  return socket as unknown as Socket;
}

function createLink(queries: QueryClient): Link {
  const connection = createConnection({
    open: openSocket,
    clock: systemClock,
    token: () => session.token(),
    refused: (token) => void session.renew(token),
    onReady() {
      topics.ready();
      void readUnanswered(queries);
    },
    onMessage: (message) => {
      if (message.type === "rights") session.renewRights().catch(() => undefined);
      topics.receive(message);
    },
    onFrame: (frame) => topics.frame(frame),
    watched: () => document.visibilityState === "visible",
  });
  const topics = createTopics(connection.send);
  const answers = createAnswers({ queries, topics, clock: systemClock });
  return { connection, topics, answers, states: createStates(topics, systemClock) };
}

/** Provides one connection to all components below it. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [link] = useState(() => createLink(queries));

  useEffect(() => {
    const { connection } = link;
    connection.start();
    const check = () => {
      if (document.visibilityState === "visible") connection.check();
    };
    document.addEventListener("visibilitychange", check);
    const stopAnswers = transport.onAnswer(() => connection.answered());
    const offline = () => connection.offline();
    addEventListener("online", check);
    addEventListener("offline", offline);
    const stopFollowing = session.state.subscribe(() => {
      const state = session.state.get();
      if (state.phase === "active" && !state.lost) connection.tokenChanged();
    });
    return () => {
      document.removeEventListener("visibilitychange", check);
      removeEventListener("online", check);
      removeEventListener("offline", offline);
      stopAnswers();
      stopFollowing();
      connection.stop();
      link.answers.stop();
    };
  }, [link]);

  return <LinkContext value={link}>{children}</LinkContext>;
}

function useLink(): Link {
  const link = useContext(LinkContext);
  if (!link) throw new Error("this component is not inside a RealtimeProvider");
  return link;
}

/** Draws a component again when the state changes, and not with each message: `lastMessageAt` is that of the last rendering. */
export function useConnectionStatus(): ConnectionStatus {
  const { status } = useLink().connection;
  useSyncExternalStore(status.subscribe, () => status.get().state);
  return status.get();
}

const NO_CONNECTION = createStore<ConnectionStatus>({ state: "lost", lastMessageAt: null });

/** Whether the connection is up; null before a character is chosen, where there is none. */
export function useIsUp(): boolean | null {
  const link = useContext(LinkContext);
  const status = link?.connection.status ?? NO_CONNECTION;
  const state = useSyncExternalStore(status.subscribe, () => status.get().state);
  return link && state === "up";
}

/** Whether a message came from the server after this instant of the device's clock; false before a character is chosen. */
export function useReceivedSince(instant: number | null): boolean {
  const status = useContext(LinkContext)?.connection.status ?? NO_CONNECTION;
  const hasCome = () => {
    const { state, lastMessageAt } = status.get();
    return instant !== null && state === "up" && lastMessageAt !== null && lastMessageAt > instant;
  };
  return useSyncExternalStore(status.subscribe, hasCome);
}

/** Returns a function that connects at once instead of waiting for the next attempt. */
export function useReconnect(): () => void {
  const { connection } = useLink();
  return () => connection.check();
}

export interface LiveHandlers<M> {
  onEvent(message: M): void;
  /** Events before this position were missed: what does not hold them has to be read again. Null: all of it. */
  onSnapshot(position: Position | null): void;
}

/**
 * Calls back for each event of a topic while the component is mounted, for what is not an answer of the server; those
 * follow with `useFollow`. `key` is the part of the topic's name after the slash. While `topic` is null it follows nothing.
 */
export function useLive<D extends EventTopic>(
  topic: D | null,
  handlers: LiveHandlers<MessageOf<D>>,
  key?: string | number,
): void {
  const { topics } = useLink();
  const onEvent = useEffectEvent((data: unknown) => handlers.onEvent(data as MessageOf<D>));
  const onSnapshot = useEffectEvent((position: Position | null) => handlers.onSnapshot(position));
  const name = topic ? nameOf(topic, key) : null;

  useEffect(() => {
    if (name === null) return;
    return topics.listen(name, { onEvent: (data) => onEvent(data), onSnapshot: (position) => onSnapshot(position) });
  }, [topics, name]);
}

import type { Viewer } from "#core/actor.ts";
import type { ClientMessage, ServerMessage } from "#core/contract/index.ts";
import type { Clock, TopicGrant } from "#core/ports/index.ts";
import { isLink, ownerOf, type Subscriber } from "./grants.ts";
import type { RealtimeSocket } from "./socket.ts";
import type { Topic } from "./topics.ts";

/** One topic of one connection. */
export interface EventSubscription {
  readonly kind: "event";
  readonly name: string;
  readonly topic: Topic;
  readonly key: string | null;
  readonly connection: Connection;
  grant: TopicGrant;
  /** Events up to this sequence were sent or skipped. */
  position: number;
  /** `prev` of the next event. */
  prev: number;
  /** False while it catches up or its rights are checked again: live events are not sent to it. */
  live: boolean;
}

export interface StateSubscription {
  readonly kind: "state";
  readonly name: string;
  readonly topic: Topic;
  readonly key: string | null;
  readonly connection: Connection;
  grant: TopicGrant;
  /** True while the rights are checked again: no frame is sent. */
  paused: boolean;
}

export type Subscription = EventSubscription | StateSubscription;

/** Objects of a topic or socket whose access may have changed. */
export interface ChangedObjects {
  /** Name of the topic, or id of the socket, as declared. */
  readonly of: string;
  /** Null for all. */
  readonly keys: readonly string[] | null;
}

/** Whether `key` is one of these. */
export function isAmong({ keys }: ChangedObjects, key: string | null): boolean {
  return keys === null || (key !== null && keys.includes(key));
}

/** What a connection carries after the sign-in: the topics of `/api/realtime`, or a feature's frames. */
export interface SocketProtocol {
  /** Messages of a client per minute. */
  readonly messagesPerMinute: number;
  /** Bytes of binary frames that may wait to be handled. */
  readonly pendingBytes: number;
  /** What `ready` says of this kind of socket. */
  ready(): { readonly feed: boolean; readonly limits: { readonly subscriptions: number; readonly frameBytes: number } };
  signedIn?(connection: Connection, subscriber: Subscriber): Promise<void>;
  /** A message other than those of signing in; what it returns says why the message is not valid. */
  message(connection: Connection, subscriber: Subscriber, message: ClientMessage): Promise<string | undefined>;
  /** A binary frame of a client that signed in; left out where clients send none. */
  frame?(connection: Connection, bytes: Uint8Array): Promise<void>;
  /** Whether the subscriber follows one of these objects, or is about to. */
  follows(connection: Connection, objects: ChangedObjects): boolean;
  /** Rights are about to be checked again: sends nothing more until `regrant`. */
  pause(connection: Connection): void;
  /** Rights were loaded again: continues or ends what the subscriber may receive. */
  regrant(connection: Connection, subscriber: Subscriber): Promise<void>;
  closed(connection: Connection): void;
}

const encoder = new TextEncoder();

/** The WebSocket of one client, with its subscriber and its subscriptions. */
export class Connection {
  readonly id: string;
  readonly socket: RealtimeSocket;
  readonly protocol: SocketProtocol;
  /** Of its client. */
  readonly network: string;
  readonly subscriptions = new Map<string, Subscription>();
  /** The subscription that is being authorized, which is not yet among the others. */
  subscribing: { readonly topic: Topic; readonly key: string | null } | null = null;
  /** Null until the first message was accepted. */
  subscriber: Subscriber | null = null;
  expiresAt = 0;
  /** Monotonic instants. */
  receivedAt: number;
  sentAt: number;
  closed = false;
  /** Set while the rights are checked again, when nothing is sent; `lost` notes that positions became invalid meanwhile. */
  recheck: { lost: boolean } | null = null;
  /** Number of rechecks begun: work that started before the latest one sends nothing more. */
  rechecks = 0;
  #pendingBytes = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(id: string, client: Pick<Connection, "socket" | "network" | "protocol">, now: number) {
    this.id = id;
    this.network = client.network;
    this.socket = client.socket;
    this.protocol = client.protocol;
    this.receivedAt = now;
    this.sentAt = now;
  }

  /** Null for a connection without an account. */
  get viewer(): Viewer | null {
    return this.subscriber === null || isLink(this.subscriber) ? null : this.subscriber;
  }

  /** Names the account or the link, whose connections share limits. */
  get owner(): string {
    return this.subscriber === null ? "" : ownerOf(this.subscriber);
  }

  /** When the first mode of the viewer, or the link, expires. */
  get standingUntil(): number | null {
    if (this.subscriber === null) return null;
    return isLink(this.subscriber) ? this.subscriber.expiresAt : (this.subscriber.standingUntil ?? null);
  }

  /** Whether a mode of the viewer, or the link, expired: nothing is sent until the rights are checked again. */
  modeEnded(clock: Pick<Clock, "now">): boolean {
    const until = this.standingUntil;
    return until !== null && clock.now() >= until;
  }

  send(message: ServerMessage): void {
    if (!this.closed) this.socket.sendText(encoder.encode(JSON.stringify(message)));
  }

  /** A check of the rights begins, or begins once more. */
  pause(): void {
    this.recheck ??= { lost: false };
    this.rechecks += 1;
  }

  /** Counts bytes of frames that wait to be handled; false when there are too many. */
  reserve(bytes: number): boolean {
    this.#pendingBytes += bytes;
    return this.#pendingBytes <= this.protocol.pendingBytes;
  }

  /** Messages of one client are handled one after the other. */
  enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.closed ? undefined : work()));
    this.#work = done.catch(() => {});
    return done;
  }
}

import type { Viewer } from "#core/actor.ts";
import type { ServerMessage } from "#core/contract/index.ts";
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
  /** Frames that wait while the rights are checked again; null at any other time. */
  held: Uint8Array[] | null;
}

export type Subscription = EventSubscription | StateSubscription;

const encoder = new TextEncoder();

/** The WebSocket of one client, with its subscriber and its subscriptions. */
export class Connection {
  readonly id: string;
  readonly socket: RealtimeSocket;
  /** Of its client. */
  readonly network: string;
  readonly subscriptions = new Map<string, Subscription>();
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
  #work: Promise<void> = Promise.resolve();

  constructor(id: string, socket: RealtimeSocket, network: string, now: number) {
    this.id = id;
    this.network = network;
    this.socket = socket;
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

  /** Messages of one client are handled one after the other. */
  enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.closed ? undefined : work()));
    this.#work = done.catch(() => {});
    return done;
  }
}

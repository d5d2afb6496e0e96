import type { Viewer } from "#core/actor.ts";
import type { ServerMessage } from "#core/contract/index.ts";
import type { TopicGrant } from "#core/ports/index.ts";
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
  /** Events up to here were sent or passed over. */
  position: number;
  /** The sequence that the next event names as `prev`. */
  prev: number;
  /** False while it catches up or its rights are checked again: live events pass it by. */
  live: boolean;
}

export interface StateSubscription {
  readonly kind: "state";
  readonly name: string;
  readonly topic: Topic;
  readonly key: string | null;
  readonly connection: Connection;
  grant: TopicGrant;
}

export type Subscription = EventSubscription | StateSubscription;

const encoder = new TextEncoder();

/** One client: who it is, what it listens to, and what it is being told. */
export class Connection {
  readonly id: string;
  readonly socket: RealtimeSocket;
  readonly subscriptions = new Map<string, Subscription>();
  viewer: Viewer | null = null;
  expiresAt = 0;
  /** Monotonic instants. */
  heardAt: number;
  toldAt: number;
  closed = false;
  /** While rights are asked anew nothing is shown; `lost` notes that positions broke meanwhile. */
  recheck: { lost: boolean } | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(id: string, socket: RealtimeSocket, now: number) {
    this.id = id;
    this.socket = socket;
    this.heardAt = now;
    this.toldAt = now;
  }

  send(message: ServerMessage): void {
    if (!this.closed) this.socket.sendText(encoder.encode(JSON.stringify(message)));
  }

  /** Messages of one client are worked off one after the other. */
  enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.closed ? undefined : work()));
    this.#work = done.catch(() => {});
    return done;
  }
}

import { AppError } from "#core/errors.ts";
import { type ClientMessage, closeCodes, realtimeErrors } from "#core/contract/index.ts";
import type { Clock, PeerHandler, SocketBinding, SocketPeer } from "#core/ports/index.ts";
import { type ChangedObjects, type Connection, isAmong, type SocketProtocol } from "./connection.ts";
import { accessRefusal, isLink, type RefusalMessage, refusal, type Subscriber } from "./grants.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { SocketHandler, SocketSessions } from "./sessions.ts";
import type { RealtimeSocket } from "./socket.ts";

/** Frames of the largest size that may wait to be handled. */
const pendingFrames = 8;

export interface FeatureSocketOptions {
  readonly sessions: SocketSessions;
  readonly limits: RealtimeLimits;
  readonly clock: Clock;
}

/** Opens one connection to the socket of a feature. */
export function openFeatureSocket(
  options: FeatureSocketOptions,
  binding: SocketBinding,
  key: string | null,
  { socket, network }: { readonly socket: RealtimeSocket; readonly network: string },
): SocketHandler {
  return options.sessions.open(socket, network, new FeatureSocket(options, binding, key));
}

/** One connection to the socket of a feature. */
class FeatureSocket implements SocketProtocol {
  readonly messagesPerMinute: number;
  readonly pendingBytes: number;
  readonly #options: FeatureSocketOptions;
  readonly #binding: SocketBinding;
  readonly #key: string | null;
  #handler: PeerHandler | null = null;
  /** Frames for the client that wait while the rights are checked again. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(options: FeatureSocketOptions, binding: SocketBinding, key: string | null) {
    this.#options = options;
    this.#binding = binding;
    this.#key = key;
    this.messagesPerMinute = binding.socket.messagesPerMinute;
    this.pendingBytes = binding.socket.frameBytes * pendingFrames;
  }

  ready() {
    return { feed: true, limits: { subscriptions: 0, frameBytes: this.#binding.socket.frameBytes } };
  }

  async signedIn(connection: Connection, subscriber: Subscriber): Promise<void> {
    const grant = await this.#authorize(connection, subscriber);
    // A check of the rights that began meanwhile is queued behind this, and finds the handler.
    if (grant !== null && !connection.closed)
      this.#handler = this.#binding.open(this.#peerOf(connection), this.#key, grant.value);
  }

  async message(_connection: Connection, _subscriber: Subscriber, { type }: ClientMessage): Promise<string> {
    return `this socket has no topics: ${type}`;
  }

  async frame(connection: Connection, bytes: Uint8Array): Promise<void> {
    try {
      await this.#handler?.frame(bytes);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#fail(connection, messageOf(error), closeCodes.badMessage);
    }
  }

  follows(_connection: Connection, objects: ChangedObjects): boolean {
    return objects.of === this.#binding.socket.id && isAmong(objects, this.#key);
  }

  /** `recheck` of the connection says that it is paused. */
  pause(): void {}

  async regrant(connection: Connection, subscriber: Subscriber): Promise<void> {
    const { rechecks } = connection;
    const grant = await this.#authorize(connection, subscriber);
    // When another recheck began, that one continues what is left: these rights may be outdated.
    if (grant === null || connection.closed || connection.rechecks !== rechecks) return;
    connection.recheck = null;
    this.#handler?.granted?.(grant.value);
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const bytes of held) this.#send(connection, bytes);
  }

  closed(): void {
    this.#held = [];
    this.#handler?.closed();
    this.#handler = null;
  }

  /** Ends the connection and returns null if the viewer may not use the socket. */
  async #authorize(connection: Connection, subscriber: Subscriber): Promise<{ readonly value: unknown } | null> {
    const { socket } = this.#binding;
    const name = this.#key === null ? socket.id : `${socket.id}/${this.#key}`;
    const refused = isLink(subscriber)
      ? refusal(realtimeErrors.forbidden, { topic: name, permissions: subscriber.link })
      : accessRefusal(socket.access, subscriber, name);
    if (refused || isLink(subscriber)) return this.#fail(connection, refused!, closeCodes.forbidden);
    try {
      const grant = await this.#binding.authorize(subscriber, this.#key);
      if (grant !== null) return { value: grant };
      return this.#fail(connection, refusal(realtimeErrors.unknownTopic, { topic: name }), closeCodes.forbidden);
    } catch (error) {
      if (error instanceof AppError) return this.#fail(connection, messageOf(error), closeCodes.forbidden);
      throw error;
    }
  }

  #peerOf(connection: Connection): SocketPeer {
    return {
      id: connection.id,
      get viewer() {
        // Only those who signed in get a peer.
        return connection.viewer!;
      },
      send: (bytes) => this.#send(connection, bytes),
      close: (reason) => this.#options.sessions.connections.end(connection, closeCodes.forbidden, reason),
    };
  }

  #send(connection: Connection, bytes: Uint8Array): void {
    if (connection.closed) return;
    const { clock, limits, sessions } = this.#options;
    if (connection.socket.backlog + this.#heldBytes > limits.slowReaderBytes)
      return sessions.connections.end(connection, closeCodes.slowReader, "read too slowly: connect again");
    if (connection.recheck === null && !connection.modeEnded(clock)) return connection.socket.sendBinary(bytes);
    this.#held.push(bytes);
    this.#heldBytes += bytes.byteLength;
  }

  #fail(connection: Connection, message: RefusalMessage, code: number): null {
    this.#options.sessions.fail(connection, message, code);
    return null;
  }
}

function messageOf({ definition, params }: AppError): RefusalMessage {
  return { code: definition.code, params: { ...params } };
}

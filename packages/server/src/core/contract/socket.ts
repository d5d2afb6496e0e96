import type { Access } from "./access.ts";

/**
 * A WebSocket that a feature owns, at `/api/sockets/<id>` or, with `keyed`, at `/api/sockets/<id>/<key>`.
 * It signs in, renews its token and is closed as `/api/realtime` is (the messages `auth`, `ready`, `renew`,
 * `renewed`, `rights`, `error`, `ping` and `pong`, and the close codes). Binary frames, in both directions,
 * are the feature's own.
 */
export interface SocketDefinition {
  /** `<feature>.<name>`. */
  readonly id: string;
  /** Whether a connection belongs to one object, whose key is the last part of the address. */
  readonly keyed: boolean;
  readonly access: Access;
  /** Largest frame of a client, in bytes. */
  readonly frameBytes: number;
  /** Frames of a client per minute, those of signing in included. */
  readonly messagesPerMinute: number;
}

/** Above this a client could fill the memory before it has signed in. */
const longestFrame = 1024 * 1024;

export function defineSocket(socket: SocketDefinition): SocketDefinition {
  const { id, frameBytes, messagesPerMinute } = socket;
  if (!/^[a-z]+\.[a-zA-Z]+$/.test(id)) throw new RangeError(`socket ${id}: the id must be <feature>.<name>`);
  if (!(frameBytes > 0 && frameBytes <= longestFrame))
    throw new RangeError(`socket ${id}: frameBytes must be from 1 to ${longestFrame}`);
  if (!(messagesPerMinute > 0)) throw new RangeError(`socket ${id}: messagesPerMinute must be more than 0`);
  return socket;
}

export function socketPath({ id, keyed }: SocketDefinition): string {
  return `/api/sockets/${id}${keyed ? "/:key" : ""}`;
}

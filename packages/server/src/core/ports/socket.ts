import type { Viewer } from "../actor.ts";
import type { SocketDefinition } from "../contract/socket.ts";
import type { ObjectRecheck } from "./realtime.ts";

/** The other end of a feature's socket. */
export interface SocketPeer {
  /** Unique for each connection. */
  readonly id: string;
  /** With its present rights. */
  readonly viewer: Viewer;
  /** Sends a binary frame; while rights are checked it waits. A client that reads too slowly is disconnected. */
  send(bytes: Uint8Array): void;
  /** Ends the connection; the client does not connect again by itself. */
  close(reason: string): void;
}

export interface PeerHandler<Grant = unknown> {
  /** One frame at a time, in their order. What it throws is sent as an error and ends the connection. */
  frame(bytes: Uint8Array): void | Promise<void>;
  /** The rights of the viewer were checked again, and still suffice. */
  granted?(grant: Grant): void;
  /** The connection ended, on either side. */
  closed(): void;
}

/** How a feature serves one of its sockets. */
export interface SocketBinding<Grant = unknown> {
  readonly socket: SocketDefinition;
  /**
   * Called once the client signed in, and again whenever the viewer's rights changed. Null says that there
   * is no such object for this viewer; an `AppError` says why it may not be used.
   */
  authorize(viewer: Viewer, key: string | null): Promise<Grant | null>;
  open(peer: SocketPeer, key: string | null, grant: Grant): PeerHandler<Grant>;
  /** Left out where only the rights of the viewer decide, which are checked again without it. */
  readonly rechecks?: readonly ObjectRecheck[];
}

/** Lets a list hold bindings whose grants differ. */
export function bindSocket<Grant>(binding: SocketBinding<Grant>): SocketBinding {
  return binding;
}

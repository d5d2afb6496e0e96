import { createHash } from "node:crypto";
import { type GameRequestState, nextState } from "#core/contract/index.ts";
import { connectedMs, goneMs } from "./gamerequests.contract.ts";
import { type GameRequestEvent, gameRequestMachine } from "./gamerequests.machine.ts";

/** The state after a delivery, a receipt or the deadline; null when nothing changes. */
export function stateAfter(state: GameRequestState, event: GameRequestEvent): GameRequestState | null {
  return nextState(gameRequestMachine, state, event);
}

interface Ended {
  readonly id: string;
  readonly kind: string;
  readonly object_key: string | null;
}

export interface Position {
  readonly epoch?: string | undefined;
  readonly after: number;
}

/** Whether a position is none of this stream: then delivery begins with the first open request. */
export function isForeign(given: Position, stream: { readonly epoch: string; readonly last_position: number }): boolean {
  return given.epoch !== stream.epoch || given.after > stream.last_position;
}

export function isConnected(lastPolledAt: number, now: number): boolean {
  return now - lastPolledAt <= connectedMs;
}

/** A game server and the tokens that it polled with. */
export interface Server {
  readonly token: string | null;
  readonly previous_token: string | null;
  readonly last_polled_at: number;
}

/**
 * Whether a token may serve a game server that another one may have served before. Tokens are replaced while both
 * are valid, so a new one may follow a silent one; but one that serves game servers of its own may not, unless it
 * followed the same token there.
 */
export function mayServe(
  server: Server | null,
  token: string | null,
  {
    others,
    configured,
    now,
  }: { readonly others: readonly Server[]; readonly configured: readonly string[]; readonly now: number },
): boolean {
  if (!server || server.token === null || server.token === token || !configured.includes(server.token)) return true;
  return !isConnected(server.last_polled_at, now) && others.every((one) => one.previous_token === server.token);
}

/** How a game server is reported. One that was given another name, or that is no longer there, is no warning forever. */
export function serverState(lastPolledAt: number, now: number): "connected" | "silent" | "gone" {
  if (isConnected(lastPolledAt, now)) return "connected";
  return now - lastPolledAt <= goneMs ? "silent" : "gone";
}

/** The key under which at most one request of a kind is open. */
export function openKey(kind: string, key: string | undefined): string | null {
  return key === undefined ? null : `${kind}:${key}`;
}

/** Ends about the same object are run in their order, also when one has to be tried again. Hashed, because a key can be longer than one of a task. */
export function endOrder({ id, kind, object_key: key }: Ended): string {
  return createHash("sha256")
    .update(openKey(kind, key ?? undefined) ?? id)
    .digest("hex");
}

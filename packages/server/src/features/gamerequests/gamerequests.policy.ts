import { createHash } from "node:crypto";
import type { GameRequestState } from "#core/contract/index.ts";
import { connectedMs, goneMs, type receiptOutcomes } from "./gamerequests.contract.ts";

type Happening = "deadline" | (typeof receiptOutcomes)[number];

/**
 * The state after a receipt or the deadline; null when nothing changes. What happened in the game is stronger
 * than the deadline: a receipt that comes late replaces `expired` and `unknown`, and nothing replaces `done` and
 * `refused`.
 */
export function stateAfter(state: GameRequestState, happening: Happening): GameRequestState | null {
  if (state === "done" || state === "refused") return null;
  if (happening !== "deadline") return state === happening ? null : happening;
  if (state === "open") return "expired";
  return state === "delivered" ? "unknown" : null;
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

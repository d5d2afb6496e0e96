import type { GameRequestPayload, SyncClient } from "@rollcall/sync-sdk";

type Toast = GameRequestPayload<"ingame.toast">;
type Waypoint = GameRequestPayload<"ingame.waypoint">;

/** What the players of a simulated game have on their screens and maps, because Rollcall asked for it. */
export class Screens {
  readonly toasts: { readonly id: string; readonly toast: Toast }[] = [];
  readonly waypoints = new Map<string, Waypoint>();

  /** Refuses what is for somebody who is not in the game. */
  handle({ requests }: Pick<SyncClient, "requests">, isThere: (identifier: string) => boolean): void {
    const require = (identifier: string) => {
      if (!isThere(identifier)) throw new Error("The player is not in the game.");
    };
    requests.on("ingame.toast", (toast, { id }) => {
      require(toast.identifier);
      this.toasts.push({ id, toast });
    });
    requests.on("ingame.waypoint", (waypoint) => {
      require(waypoint.identifier);
      this.waypoints.set(waypoint.identifier, waypoint);
    });
  }
}

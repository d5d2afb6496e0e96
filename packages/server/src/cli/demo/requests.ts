import type { GameRequestPayload, SyncClient } from "@rollcall/sync-sdk";

export type Toast = GameRequestPayload<"ingame.toast">;
export type Waypoint = GameRequestPayload<"ingame.waypoint">;

/** What a game server has that Rollcall asks things of. */
export interface Screens {
  /** Whether somebody plays this character now. */
  isThere(identifier: string): boolean;
  showToast(toast: Toast, id: string): void;
  setWaypoint(waypoint: Waypoint): void;
}

/** Does on the players' screens what Rollcall asks for, and refuses what is for somebody who is not in the game. */
export function answerRequests({ requests }: Pick<SyncClient, "requests">, screens: Screens): void {
  const require = (identifier: string) => {
    if (!screens.isThere(identifier)) throw new Error("The player is not in the game.");
  };
  requests.on("ingame.toast", (toast, { id }) => {
    require(toast.identifier);
    screens.showToast(toast, id);
  });
  requests.on("ingame.waypoint", (waypoint) => {
    require(waypoint.identifier);
    screens.setWaypoint(waypoint);
  });
}

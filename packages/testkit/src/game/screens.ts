import type { SyncClient } from "@rollcall/sync-sdk";
import { answerRequests, type Toast, type Waypoint } from "../../../server/src/cli/demo/requests.ts";

/** What the players of a simulated game have on their screens and maps, because Rollcall asked for it. */
export class Screens {
  readonly toasts: { readonly id: string; readonly toast: Toast }[] = [];
  readonly waypoints = new Map<string, Waypoint>();

  handle(client: Pick<SyncClient, "requests">, isThere: (identifier: string) => boolean): void {
    answerRequests(client, {
      isThere,
      showToast: (toast, id) => void this.toasts.push({ id, toast }),
      setWaypoint: (waypoint) => void this.waypoints.set(waypoint.identifier, waypoint),
    });
  }
}

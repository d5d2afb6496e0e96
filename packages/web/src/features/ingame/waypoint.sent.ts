import { setWaypoint, type Waypoint } from "@rollcall/server/contract/ingame";
import { api } from "#core/services.ts";
import { createStore } from "#core/store.ts";

/** A waypoint that was sent away from the page of places. */
export interface SentWaypoint {
  readonly postal: string;
  readonly waypoint: Waypoint;
}

/** The last one, until it is known what became of it. */
export const sentWaypoint = createStore<SentWaypoint | null>(null);

/** Sets the waypoint of the viewer's character in the game; a toast says what becomes of it. */
export async function setWaypointTo(postal: string): Promise<void> {
  const { waypoint } = await api.call(setWaypoint, { body: { target: { postal } } });
  if (waypoint !== null) sentWaypoint.set({ postal, waypoint });
}

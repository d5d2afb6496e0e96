import { part } from "#core/part.ts";
import { useStore } from "#core/store.ts";
import { sentWaypoint, type SentWaypoint } from "./waypoint.sent.ts";

const Followed = part<{ readonly sent: SentWaypoint }>(["ingame"], () => import("./followed.tsx"));

/** Follows a waypoint on every page, for people without the page of places too. */
export function WaypointNews() {
  const sent = useStore(sentWaypoint);
  return sent && <Followed key={sent.waypoint.sentAt} sent={sent} />;
}

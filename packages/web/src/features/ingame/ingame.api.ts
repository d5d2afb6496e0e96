// The parts of this feature that others may use.
export { setWaypointTo } from "./waypoint.sent.ts";
export { useWaypoint, type WaypointOfViewer } from "./waypoint.queries.ts";
export { WaypointButton, WaypointOutcome } from "./waypoint.tsx";

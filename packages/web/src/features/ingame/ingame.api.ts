// The parts of this feature that others may use.
export { useWaypoint, type WaypointOfViewer } from "./waypoint.queries.ts";
export { WaypointButton, WaypointOutcome } from "./waypoint.tsx";

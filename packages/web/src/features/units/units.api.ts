// The parts of this feature that others may use.
export { StatusButtons } from "./statusButtons.tsx";
export { STATUS_ICONS } from "./statusTag.tsx";
export { changeStatus } from "./status.ts";
export { type CrewChanges, useCrewChanges, useStatuses, useUnits } from "./units.queries.ts";

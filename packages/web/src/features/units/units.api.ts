// The parts of this feature that others may use.
export { StatusButtons } from "./statusButtons.tsx";
export { STATUS_ICONS, StatusTag } from "./statusTag.tsx";
import { part } from "#core/part.ts";
import type { TemporaryProps } from "./temporary.tsx";

export { changeStatus } from "./status.ts";
export { type CrewChanges, useCrewChanges, useStatuses, useUnits } from "./units.queries.ts";

/** Makes a unit that is dissolved once it is empty. */
export const TemporaryDialog = part<TemporaryProps>(["units", "fields"], () => import("./temporary.tsx"));

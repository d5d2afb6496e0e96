// The parts of this feature that others may use.
import { part } from "#core/part.ts";
import type { AskDialogProps } from "./askDialog.tsx";
import type { CallUnitsProps } from "./callUnits.tsx";
import type { HandBackDialogProps } from "./handBackDialog.tsx";

export { readAgain, useOwnWork, useWorkChanges, type WorkChanges } from "./assignments.queries.ts";
export { Countdown } from "./unitLine.tsx";

/** The units of a call, with what the viewer may do about them. */
export const CallUnits = part<CallUnitsProps>(["assignments"], () => import("./callUnits.tsx"));

/** How units of the own job get calls. */
export const WorkRulesForm = part(["assignments"], () => import("./rulesForm.tsx"));

/** Asks units for a call, or assigns them without asking. */
export const AskDialog = part<AskDialogProps>(["assignments"], () => import("./askDialog.tsx"));

/** Hands a call back, for a reason. */
export const HandBackDialog = part<HandBackDialogProps>(["assignments"], () => import("./handBackDialog.tsx"));

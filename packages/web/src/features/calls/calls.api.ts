// The parts of this feature that others may use.
import { part } from "#core/part.ts";
import type { CallViewProps } from "./detail.tsx";
import type { NewDialogProps } from "./newDialog.tsx";
import type { WriteProps } from "./write.tsx";

export { PriorityMark } from "./age.tsx";
export { type Call, usePresentCalls } from "./calls.queries.ts";
export { AlertCount } from "./reports.tsx";
export { StormRows } from "./storms.tsx";
export { TypeTag } from "./typeTag.tsx";

/** One call in a pane, with all that can be done about it. */
export const CallView = part<CallViewProps>(["calls"], async () => ({ default: (await import("./detail.tsx")).CallView }));

/** Writes into an open call. */
export const WriteToCall = part<WriteProps>(["calls"], () => import("./write.tsx"));

/** Makes a call. */
export const NewDialog = part<NewDialogProps>(["calls"], () => import("./newDialog.tsx"));

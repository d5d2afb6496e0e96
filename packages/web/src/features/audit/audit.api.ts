// The parts of this feature that others may use.
import { part } from "#core/part.ts";
import type { RecordHistoryProps } from "./recordHistory.tsx";

export const RecordHistory = part<RecordHistoryProps>(["audit"], () => import("./recordHistory.tsx"));

// The parts of this feature that others may use.
export { DutyStateSign, DutyStateText } from "./state.tsx";
export { useOwnDuty } from "./own.queries.ts";
export { Since } from "./since.tsx";

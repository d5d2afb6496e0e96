// The parts of this feature that others may use.
export { DutyStateText } from "./state.tsx";
export { hasWords } from "./people.ts";

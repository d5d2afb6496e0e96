// The parts of this feature that others may use.
export { useGroups } from "./jobgroups.queries.ts";

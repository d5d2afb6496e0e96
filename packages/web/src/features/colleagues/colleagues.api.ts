// The parts of this feature that others may use.
export { ColleagueSelect } from "./colleagueSelect.tsx";
export { useNamer } from "./colleagueNames.ts";
export { fullName } from "./names.ts";

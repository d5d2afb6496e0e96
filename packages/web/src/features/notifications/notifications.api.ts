// The parts of this feature that others may use.
export { Bell } from "./bell.tsx";
export { gainOf } from "./sound.ts";

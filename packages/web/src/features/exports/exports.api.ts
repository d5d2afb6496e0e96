// The parts of this feature that others may use.
export { Exports } from "./exports.tsx";

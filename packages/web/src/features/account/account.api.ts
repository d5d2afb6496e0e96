// The parts of this feature that others may use.
export { SessionList } from "./list.tsx";

// The parts of this feature that others may use.
export { SessionList, sessionName } from "./list.tsx";

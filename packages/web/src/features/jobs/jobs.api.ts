// The parts of this feature that others may use.
export { JobMessage } from "./message.tsx";

// The parts of this feature that others may use.
export { Board } from "./board.tsx";

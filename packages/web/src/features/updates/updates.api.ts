// The parts of this feature that others may use.
export { Release } from "./release.tsx";

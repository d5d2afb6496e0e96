// The parts of this feature that others may use.
export { SeeAsBanner } from "./seeAs.tsx";

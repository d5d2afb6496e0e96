// The parts of this feature that others may use.
export { SystemBanner } from "./banner.tsx";

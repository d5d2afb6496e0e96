// The parts of this feature that others may use.
export { OwnedVehicles } from "./owned.tsx";

// The parts of this feature that others may use.
export { CitizenSelect } from "./citizenSelect.tsx";
export { useProfileAddress } from "./profileAddress.ts";

// The parts of this feature that others may use.
export { ExportButton } from "./exportButton.tsx";

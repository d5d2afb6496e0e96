// The parts of this feature that others may use.
export { useDocumentTitle } from "./title.tsx";

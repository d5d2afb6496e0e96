// The parts of this feature that others may use.
export { openDialog } from "./dialogs.ts";
export { useDocumentTitle } from "./title.tsx";

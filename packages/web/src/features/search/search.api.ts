// The parts of this feature that others may use.
export const loadSearchDialog = async () => await import("./search.dialog.tsx");

// The parts of this feature that others may use.
export const loadApprovalsHint = async () => await import("./hint.tsx");

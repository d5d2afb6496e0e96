// The parts of this feature that others may use.
export const loadSetupHint = async () => await import("./hint.tsx");

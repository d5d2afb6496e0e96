// The parts of this feature that others may use.
export const loadTokenBanner = async () => await import("./tokenBanner.tsx");

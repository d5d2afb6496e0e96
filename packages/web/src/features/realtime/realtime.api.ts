// The parts of this feature that others may use.
export const loadPresence = async () => await import("./presence.tsx");

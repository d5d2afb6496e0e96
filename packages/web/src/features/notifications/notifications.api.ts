// The parts of this feature that others may use.
export { Bell } from "./bell.tsx";

/** How loud the person wants sounds to be; loaded when something sounds. */
export const loadSound = async () => await import("./sound.ts");

// The parts of this feature that others may use.
export type { Entries } from "./editor.tsx";
export const loadAccessEditor = async () => await import("./editor.tsx");
export const loadAccessExplain = async () => await import("./explain.tsx");

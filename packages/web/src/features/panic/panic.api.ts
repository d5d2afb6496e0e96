// The parts of this feature that others may use.
import { part } from "#core/part.ts";

/** The panic button, to hold for a moment; nothing off duty. */
export const PanicButton = part(["panic"], () => import("./button.tsx"));

export { readPresentPanics, usePresentPanics } from "./panic.queries.ts";

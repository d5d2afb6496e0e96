// The parts of this feature that others may use.
import { nearestPostal } from "@rollcall/server/contract/postals";
import { whileAnswer } from "#core/conditions.ts";

/** The map has postals: then one of them is nearest to any place. */
export const mapHasPostals = whileAnswer(nearestPostal, { query: { x: 0, y: 0 } }, ({ nearest }) => nearest !== null);

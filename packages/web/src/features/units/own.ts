import type { Unit } from "@rollcall/server/contract/units";

/** The unit that the viewer is in: nobody else's can be left. */
export function ownUnit<U extends Pick<Unit, "mine">>(units: readonly U[]): U | undefined {
  return units.find(({ mine }) => mine);
}

// What the boot ids of a source mean in the reference model. Rule numbers as in duty.model.testkit.ts.

import * as limits from "./duty.limits.model.testkit.ts";
import type { Source } from "./duty.types.model.testkit.ts";

/** Rule 18: all that the call tells happened before anything that the boot of now told. */
function isOfThePast(source: Source, boot: string, happened: number | null): boolean {
  return source.boot !== null && boot !== source.boot && happened !== null && happened < source.startedAt;
}

/** Notes the boot id of a call; says whether the game server has started again. `happened` is of an event. */
export function noteBoot(source: Source, boot: string | null, happened: number | null, now: number): boolean {
  if (boot === null || isOfThePast(source, boot, happened)) return false;
  const instant = happened === null ? now : Math.min(happened, now);
  const lastBoot = source.boot;
  if (lastBoot === boot) {
    source.startedAt = Math.min(source.startedAt, instant);
    return false;
  }
  // Rule 16: of another server under the same name, or on its way since before; no restart.
  const lately = source.earlier.get(boot);
  if (lately !== undefined && now - lately <= limits.SHARED_FOR) {
    source.earlier.set(boot, now);
    return false;
  }
  source.boot = boot;
  source.startedAt = instant;
  source.earlier.delete(boot);
  // Rule 9: the very first boot id ever is no change.
  if (lastBoot === null) return false;
  source.earlier.set(lastBoot, now);
  source.changedAt = now;
  return true;
}

/**
 * Rule 9: a call with the boot id of now (which is stored by now). Rule 16: or with an earlier one, when calls of such
 * still came at a time at which none can have been on its way.
 */
export function saysBoot(source: Source, boot: string | null, happened: number | null): boolean {
  if (boot === null || isOfThePast(source, boot, happened)) return false;
  return boot === source.boot || [...source.earlier.values()].some((at) => at - source.changedAt >= limits.ON_ITS_WAY);
}

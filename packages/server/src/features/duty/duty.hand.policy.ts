import type { DutyRules } from "./duty.contract.ts";
import type { Duty } from "./duty.policy.ts";
import type { Source } from "./duty.sources.policy.ts";

/** Why duty does not begin by hand; null where it does. */
export function refusesByHand({ byHand, gameSince }: DutyRules): "off" | "game" | null {
  if (byHand === "off") return "off";
  return byHand === "untilSource" && gameSince !== null ? "game" : null;
}

/**
 * The job of a duty that the game reported and decides about: another one by hand would end it. Null for no such duty;
 * a silent game server does not say any more that the person is there.
 */
export function keptByGame(
  duty: Duty | null,
  sources: ReadonlyMap<string, Source>,
  rules: ReadonlyMap<string, DutyRules>,
): string | null {
  if (duty?.by !== "game" || refusesByHand(rules.get(duty.job)!) === null) return null;
  const source = duty.source === null ? undefined : sources.get(duty.source);
  return source === undefined || source.silentFrom === null ? duty.job : null;
}

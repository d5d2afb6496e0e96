import type { DutyPerson } from "@rollcall/server/contract/duty";
import type { Translate } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { clockTime } from "#core/time.ts";

/** The own duty in a few words, with clock times alone: it changes with the duty, and not every minute. */
export function ownDutyText(t: Translate, duty: DutyPerson | null, language: Language): string {
  if (duty === null) return t("duty.bar.off");
  return t(`duty.bar.${duty.state}`, { time: clockTime(duty.state === "on" ? duty.since : duty.seenAt, language) });
}

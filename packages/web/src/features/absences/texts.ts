import type { Translate } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { calendarDay, localeOf } from "#core/time.ts";
import type { Absence } from "./absences.queries.ts";

/** "1 Dec 2026 to 5 Dec 2026", or the one day. */
export function spanText(
  t: Translate,
  language: Language,
  { firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string },
): string {
  const first = calendarDay(firstDay, language);
  return firstDay === lastDay ? first : t("absences.span", { first, last: calendarDay(lastDay, language) });
}

/** What the kind of an absence is called; null where the viewer may not see it. */
export function kindName(t: Translate, { kind }: Pick<Absence, "kind">): string | null {
  if (kind === undefined) return null;
  return kind === null ? t("absences.shippedKind") : kind.name;
}

/** "December 2026". */
export function monthName(month: string, language: Language): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { month: "long", year: "numeric", timeZone: "UTC" });
  return format.format(Date.parse(`${month}-01T00:00:00Z`));
}

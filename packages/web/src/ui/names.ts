import type { Translate } from "#core/i18n.ts";

/** Some names, and how many there are besides. */
export function namesText(t: Translate, names: readonly string[], count: number, most = 2): string {
  const shown = names.slice(0, most).join(", ");
  const others = count - Math.min(most, names.length);
  return others > 0 ? t("web.namesAndMore", { names: shown, count: others }) : shown;
}

/** What is written of a grade beside its job: nothing where both are called the same, as "Unemployed" is. */
export function gradeBeside(job: string, grade: string | undefined): string | null {
  return grade === undefined || grade === "" || grade === job ? null : grade;
}

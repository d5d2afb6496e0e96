import type { NamedRule } from "@rollcall/server/contract/jobgroups";
import type { Translate } from "#core/i18n.ts";

/** A rule in words. */
export function ruleText(t: Translate, { kind, from, to, name }: Pick<NamedRule, "kind" | "from" | "to" | "name">): string {
  if (name === null) return t("jobgroups.rules.gone", { kind: t(`jobgroups.rules.kinds.${kind}`) });
  if (kind === "grade" && from !== null && to === null) return t("jobgroups.rules.from", { grade: name });
  return t("jobgroups.rules.named", { kind: t(`jobgroups.rules.kinds.${kind}`), name });
}

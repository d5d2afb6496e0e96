import { useText, type Translate } from "#core/i18n.ts";
import type { Filter, FilterValues, OptionGroup } from "#ui/listFilters.ts";
import { useFacets } from "./audit.queries.ts";
import type { AuditSearch } from "./audit.search.ts";
import { actionText, featureText, kindText } from "./texts.ts";

const RESULTS = ["ok", "denied", "failed"] as const;

export function useAuditFilters({ action }: AuditSearch): readonly Filter[] {
  const { t } = useText();
  const facets = useFacets();
  const actions = [...new Set([...(facets.data?.actions ?? []), ...(action === undefined ? [] : [action])])];
  return [
    {
      kind: "pick",
      id: "action",
      label: t("audit.columns.action"),
      placeholder: t("audit.anyAction"),
      options: actionChoices(t, actions),
      nothingFound: facets.isPending ? t("web.loading") : t("audit.noSuchAction"),
    },
    {
      kind: "choice",
      id: "result",
      label: t("audit.columns.result"),
      placeholder: t("audit.anyResult"),
      options: RESULTS.map((value) => ({ value, label: t(`audit.results.${value}`) })),
    },
    { kind: "day", id: "from", label: t("audit.from") },
    { kind: "day", id: "to", label: t("audit.to") },
    { kind: "text", id: "address", label: t("audit.columns.address"), maxLength: 64 },
    {
      kind: "job",
      id: "job",
      label: t("audit.columns.job"),
      placeholder: t("audit.anyJob"),
      offered: facets.data?.everyJob === true,
    },
    ...linkFilters(t),
  ];
}

/** Filters that links from other pages set. */
function linkFilters(t: Translate): readonly Filter[] {
  const account = (id: string | undefined) => `${kindText(t, "account")} ${id ?? ""}`;
  const about = ({ targetKind, target }: FilterValues) => (targetKind === "citizen" ? `CIT-${target ?? ""}` : account(target));
  return [
    {
      kind: "link",
      id: "kind",
      label: t("audit.columns.object"),
      and: ["object"],
      text: ({ kind = "", object = "" }) => `${kindText(t, kind)} ${object}`.trim(),
    },
    {
      kind: "link",
      id: "character",
      label: t("audit.columns.who"),
      text: ({ character = "" }) => t("audit.by", { who: `CIT-${character}` }),
    },
    {
      kind: "link",
      id: "account",
      label: t("audit.columns.who"),
      text: (values) => t("audit.by", { who: account(values["account"]) }),
    },
    {
      kind: "link",
      id: "target",
      label: t("audit.columns.object"),
      and: ["targetKind"],
      text: (values) => t("audit.about", { who: about(values) }),
    },
  ];
}

/** Actions by feature; each group begins with the whole feature and is sorted by text. */
function actionChoices(t: Translate, actions: readonly string[]): readonly OptionGroup[] {
  const features = [...new Set(actions.map((action) => action.split(".", 1)[0]!))];
  const byLabel = <T extends { label: string }>(items: T[]): T[] => items.toSorted((a, b) => a.label.localeCompare(b.label));
  return byLabel(features.map((feature) => ({ feature, label: featureText(t, feature) }))).map(({ feature, label }) => ({
    group: label,
    items: [
      { value: `${feature}.`, label: t("audit.everyActionOf", { feature: label }) },
      ...byLabel(
        actions
          .filter((action) => action.startsWith(`${feature}.`) && !action.endsWith("."))
          .map((value) => ({ value, label: actionText(t, value) })),
      ),
    ],
  }));
}

import type { OutputOf } from "@rollcall/server/contract/core";
import type { signInRefusals } from "@rollcall/server/contract/auth";
import { definePlot } from "#ui/plots/plot.types.ts";

type Refusals = OutputOf<typeof signInRefusals>;

/** Names of texts, because a key has no spaces. */
const reasonTexts: Readonly<Record<Refusals["reasons"][number], string>> = {
  "wrong password": "wrongPassword",
  "unknown user name": "unknownName",
  throttled: "throttled",
  "account disabled": "disabled",
  "wrong code": "wrongCode",
};

export const refusalsByDay = definePlot<Refusals>({
  kind: "bars",
  title: "system.refusals.byDay",
  empty: "system.refusals.none",
  unit: "count",
  x: { days: ({ days }) => days.map(({ day }) => day) },
  series: ({ reasons, days }, t) =>
    reasons.map((reason, index) => ({
      label: t(`system.refusals.reasons.${reasonTexts[reason]}`),
      values: days.map(({ counts }) => counts[index] ?? 0),
    })),
  open: ({ days }, index, t) => {
    const day = days[index]?.day;
    if (day === undefined) return [];
    const search = { from: day, to: day, result: "denied" };
    return [
      { label: t("system.refusals.openPasswords"), to: "/panel/audit", search: { ...search, action: "auth.login" } },
      { label: t("system.refusals.openCodes"), to: "/panel/audit", search: { ...search, action: "auth.loginFactor" } },
    ];
  },
});

export const refusalsByHour = definePlot<Refusals>({
  kind: "heat",
  title: "system.refusals.byHour",
  empty: "system.refusals.none",
  unit: "count",
  hours: ({ hours }) => hours,
});

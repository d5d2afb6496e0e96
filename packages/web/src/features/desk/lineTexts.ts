import type { Translate } from "#core/i18n.ts";
import { type Known, type KnownUnit, type Plan, type Refusal, whoIs } from "./command.ts";

/** What a plan does, in words. */
export function willText(t: Translate, plan: Plan): string {
  const call = "call" in plan ? `#${plan.call.id}` : "";
  switch (plan.do) {
    case "assign": {
      const units = plan.units.map(({ name }) => name).join(", ");
      const progress = plan.progress === null ? "" : `, ${t(`desk.progress.${plan.progress}`)}`;
      return plan.ask ? t("desk.line.will.ask", { call, units }) : t("desk.line.will.assign", { call, units, progress });
    }
    case "remove":
      return t(plan.on.state === "offered" ? "desk.line.will.withdraw" : "desk.line.will.handBack", {
        call,
        unit: plan.on.unit.name,
      });
    case "progress":
      return t("desk.line.will.progress", { call, unit: plan.on.unit.name, state: t(`desk.progress.${plan.state}`) });
    case "status":
      return t("desk.line.will.status", { unit: plan.unit.name, status: plan.to.word });
    case "panic":
      return t("desk.line.will.panic", { call, outcome: t(`desk.outcomes.${plan.outcome}`) });
    case "who":
      return t("desk.line.will.who", { text: plan.text });
    case "done":
    case "note":
    case "cancel":
    case "reopen":
    case "open":
      return t(`desk.line.will.${plan.do}`, { call });
    case "undo":
    case "help":
      return t(`desk.line.will.${plan.do}`);
  }
}

/** The status of a unit, and the open calls that it is on, with their places. */
function doingText(t: Translate, { id, status }: KnownUnit, { calls }: Known): string {
  const on = calls.filter(({ state, units }) => state === "open" && units.some(({ unit }) => unit.id === id));
  return [
    status.name ?? t(`desk.bases.${status.base}`),
    ...on.map(({ id: call, postal }) => (postal === null ? `#${call}` : t("desk.line.who.at", { call: `#${call}`, postal }))),
  ].join(", ");
}

export function whoText(t: Translate, text: string, known: Known): string {
  const { calls, units } = whoIs(text, known);
  if (calls.length === 0 && units.length === 0) return t("desk.line.who.nobody", { text });
  const said = [...calls.map(({ id }) => `#${id}`), ...units.map((unit) => `${unit.name} (${doingText(t, unit, known)})`)];
  return t("desk.line.who.found", { text, found: said.join(", ") });
}

export const refusalText = (t: Translate, { why, about }: Refusal): string => t(`desk.line.refused.${why}`, { about });

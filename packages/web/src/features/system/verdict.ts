import type { OutputOf } from "@rollcall/server/contract/core";
import type { doctor, systemStatus } from "@rollcall/server/contract/system";

type Finding = OutputOf<typeof doctor>["findings"][number];
type Part = OutputOf<typeof systemStatus>["parts"][number];

/** Findings that have a line of their own on the card. */
const APART = ["scheduler.deadTasks", "updates.available"];

/** Whether something has to be done about it. */
const isOpen = ({ state }: Pick<Finding, "state">) => state === "problem" || state === "warning";

/** What is said of the whole installation in one sentence; `others` are the findings that lines below it name. */
export type Verdict = { readonly others: readonly Finding[] } & (
  | { readonly kind: "works" }
  /** The worst thing. */
  | { readonly kind: "problem"; readonly finding: Finding }
  /** Components that do not work as they should, which no finding explains. */
  | { readonly kind: "parts"; readonly count: number }
);

export function verdictOf(findings: readonly Finding[], parts: readonly Pick<Part, "state">[]): Verdict {
  const open = findings.filter((one) => isOpen(one) && !APART.includes(one.id));
  const count = parts.filter(({ state }) => state !== "ok").length;
  const finding = open.find(({ state }) => state === "problem");
  if (finding) return { kind: "problem", finding, others: open.filter((one) => one !== finding) };
  return count > 0 ? { kind: "parts", count, others: open } : { kind: "works", others: open };
}

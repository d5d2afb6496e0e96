import type { OutputOf } from "@rollcall/server/contract/core";
import type { doctor, systemStatus } from "@rollcall/server/contract/system";

export type Finding = OutputOf<typeof doctor>["findings"][number];
export type Part = OutputOf<typeof systemStatus>["parts"][number];
export type Grade = Finding["state"];

/** What this browser found out: the name of its text, and what it fills in. */
export interface BrowserCheck {
  readonly name: string;
  readonly grade: Grade;
  readonly params?: Readonly<Record<string, string | number>>;
}

export type Item =
  | { readonly from: "server"; readonly grade: Grade; readonly finding: Finding }
  | { readonly from: "parts"; readonly grade: Grade; readonly part: Part }
  | { readonly from: "browser"; readonly grade: Grade; readonly check: BrowserCheck };

/** What says the same as another item, and says it better. */
const SAID_BY_FINDING: Readonly<Record<string, readonly string[]>> = {
  storage: ["system.storageUnwritable", "system.storeUnusable"],
  postals: ["missing", "unreadable", "tooLarge", "tooMany", "noJson", "noList"].map((name) => `postals.${name}`),
  broker: ["system.brokerDown", "system.installationHeld"],
};
/** The component of an option that the start found to be wrong. */
const PART_OF_OPTION: Readonly<Record<string, string>> = { "storage.filesystem.path": "storage" };
const SAID_BY_BROWSER: Readonly<Record<string, string>> = {
  "system.proxies": "proxyIgnored",
  "system.publicUrlUnreachable": "address",
};
const SAID_BY_SERVER: Readonly<Record<string, string>> = { https: "system.https" };

const GRADES: readonly Grade[] = ["problem", "warning", "hint", "ok"];
const gradeOf = ({ state }: Part): Grade => (state === "ok" ? "ok" : state === "degraded" ? "warning" : "problem");

export interface Report {
  /** The gravest first. */
  readonly attention: readonly Item[];
  readonly working: readonly Item[];
  /** Problems and warnings: a hint asks for nothing. */
  readonly count: number;
  readonly worst: Grade;
}

/** What the three sources say, each thing once. */
export function reportOf(parts: readonly Part[], findings: readonly Finding[], checks: readonly BrowserCheck[]): Report {
  const open = (id: string) => findings.some((one) => one.id === id && one.state !== "ok");
  const isSaid = (part: string) =>
    (SAID_BY_FINDING[part] ?? []).some(open) ||
    findings.some(({ state, params }) => state !== "ok" && PART_OF_OPTION[String(params["option"])] === part);
  const seen = (name: string | undefined) => checks.some((one) => one.name === name && one.grade !== "ok");
  const items: Item[] = [
    ...parts.filter(({ part }) => !isSaid(part)).map((part): Item => ({ from: "parts", grade: gradeOf(part), part })),
    ...findings
      .filter(({ id }) => !seen(SAID_BY_BROWSER[id]))
      .map((finding): Item => ({ from: "server", grade: finding.state, finding })),
    ...checks
      .filter(({ name }) => !open(SAID_BY_SERVER[name] ?? ""))
      .map((check): Item => ({ from: "browser", grade: check.grade, check })),
  ];
  const attention = items
    .filter(({ grade }) => grade !== "ok")
    .toSorted((a, b) => GRADES.indexOf(a.grade) - GRADES.indexOf(b.grade));
  return {
    attention,
    working: items.filter(({ grade }) => grade === "ok"),
    count: attention.filter(({ grade }) => grade !== "hint").length,
    worst: attention[0]?.grade ?? "ok",
  };
}

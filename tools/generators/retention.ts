import { readFile } from "node:fs/promises";
import path from "node:path";
import type { KeptFor, RetentionStep } from "../../packages/server/src/core/contract/index.ts";
import { features } from "../../packages/server/src/app/features.ts";
import { runsKept } from "../../packages/server/src/infra/schedules/runs.ts";
import { keepHandledMs, keepSentMs } from "../../packages/server/src/infra/outbox/cleanup.ts";
import { keepDeadMs, pruneEveryMs } from "../../packages/server/src/infra/tasks/dead.ts";
import { cleanEveryMs } from "../../packages/server/src/infra/outbox/relay.ts";
import { textsOf } from "./reference.ts";

const page = "docs/operate/retention.md";
const root = path.resolve(import.meta.dirname, "../..");
const begin = "<!-- The table: generated from the declarations by `npm run generate`. -->";
const end = "<!-- End of the table. -->";

/** English, in the largest unit that needs no fraction. */
export function lengthInWords(ms: number): string {
  const units = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1000],
  ] as const;
  const [unit, size] = units.find(([, each]) => ms % each === 0) ?? ["millisecond", 1];
  return ms === size ? `1 ${unit}` : `${ms / size} ${unit}s`;
}

function timeOf(kept: KeptFor): string {
  if ("ms" in kept) return lengthInWords(kept.ms);
  return "option" in kept ? `\`${kept.option}\`` : `the setting \`${kept.setting}\``;
}

function wordsOf(feature: string, kind: string): { readonly what: string; readonly time: string } {
  const texts = textsOf(feature).panel?.kept?.[kind];
  if (texts === undefined) throw new Error(`${feature}.text.en.json has no panel.kept.${kind}`);
  return { what: texts.what, time: texts.time ?? "{{time}}" };
}

type Row = readonly [what: string, kept: string, job: string];

function stepRow(feature: string, { id, cron }: { id: string; cron: string }, kind: string, step: RetentionStep): Row {
  const { what, time } = wordsOf(feature, kind);
  const hourly = cron.split(" ")[1] === "*" ? " (hourly)" : "";
  return [what, time.replace("{{time}}", timeOf(step.kept)), `\`${id}\`${hourly}`];
}

/** Rows that belong to no feature. */
const infrastructure: readonly Row[] = [
  ["Published events", lengthInWords(keepSentMs), `the relay, every ${lengthInWords(cleanEveryMs)}`],
  ["Which events were handled", `${lengthInWords(keepHandledMs)}, longer than the event stream keeps them`, "the relay"],
  [
    "Failed worker tasks",
    `${lengthInWords(keepDeadMs)} after the last attempt`,
    `each worker, within ${lengthInWords(pruneEveryMs)}`,
  ],
  ["Runs of schedules", `the newest ${runsKept} of each`, "each run"],
];

/** Every row of the table: what is removed, what belongs to no feature, then what stays. */
export function retentionRows(): Row[] {
  const steps = features.flatMap(({ name, contract }) =>
    (contract.retention ?? []).flatMap((retention) =>
      Object.entries(retention.steps).map(([kind, step]) => stepRow(name, retention, kind, step)),
    ),
  );
  const forGood = features.flatMap(({ name, contract }) =>
    (contract.keptForGood ?? []).map(({ kind }): Row => [wordsOf(name, kind).what, wordsOf(name, kind).time, ""]),
  );
  return [...steps, ...infrastructure, ...forGood];
}

/** The page with its rows replaced by these; the text around the table stays. Throws without the two markers. */
export function withTable(text: string, rows: readonly Row[]): string {
  const [before, rest] = text.split(`${begin}\n`);
  const after = rest?.split(`${end}\n`)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} lacks the markers of its table: ${begin} and ${end}`);
  const cells = rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  const table = ["| what | kept | schedule |", "| --- | --- | --- |", ...cells].join("\n");
  return `${before}${begin}\n\n${table}\n\n${end}\n${after}`;
}

export const generator = {
  name: "retention",
  async outputs(): Promise<Record<string, string>> {
    return { [page]: withTable(await readFile(path.join(root, page), "utf8"), retentionRows()) };
  },
};

/** Writes the table of docs/operate/reliability.md from what the last `npm run test:faults` measured. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FaultReport } from "@rollcall/testkit/report.ts";

const root = path.resolve(import.meta.dirname, "..");
const measured = path.join(root, "packages/e2e/reliability/current.jsonl");
const page = path.join(root, "docs/operate/reliability.md");
const [begin, end] = ["<!-- measured -->", "<!-- /measured -->"];

const titles: Readonly<Record<FaultReport["group"], string>> = {
  servers: "Servers beside Rollcall",
  processes: "Rollcall's own processes",
  disks: "Disks",
  clocks: "Clocks",
  clients: "Clients",
  uploads: "Uploads",
};

const seconds = (ms: number | null) => (ms === null ? "no interruption" : `${(ms / 1000).toFixed(1)} s`);
const limit = (ms: number | null) => (ms === null ? "" : `${ms / 1000} s`);

/** Lines of the tables, by the heading, the fault and what it was tried on. */
type Lines = ReadonlyMap<string, string>;

const head = [
  "| Fault | On | Acknowledged | Lost | Duplicates | Recovered after | Limit |",
  "| --- | --- | --- | --- | --- | --- | --- |",
];

function lineOf({ fault, backing, acknowledged, of, lost, doubled, backMs, backWithinMs }: FaultReport): string {
  return `| ${fault} | ${backing} | ${acknowledged} ${of} | ${lost} | ${doubled} | ${seconds(backMs)} | ${limit(backWithinMs)} |`;
}

const keyOf = (title: string, line: string) => [title, ...line.split(" | ", 2)].join(" ");

/** The newest of each fault, in the order of their first runs. */
function measuredIn(rows: readonly FaultReport[]): Lines {
  return new Map(rows.map((row) => [keyOf(titles[row.group], lineOf(row)), lineOf(row)]));
}

/** What stands on the page: a test that did not run here keeps what its last run measured. */
function writtenIn(text: string): Lines {
  const parts = text.split("### ").slice(1);
  return new Map(
    parts.flatMap((part) => {
      const [title = "", ...lines] = part.split("\n");
      const rows = lines.filter((line) => line.startsWith("| ") && !head.includes(line));
      return rows.map((line): [string, string] => [keyOf(title, line), line]);
    }),
  );
}

if (!existsSync(measured)) {
  console.error("there are no measurements yet: run npm run test:faults first");
  process.exit(1);
}
const rows = readFileSync(measured, "utf8").split("\n").filter(Boolean);
const text = readFileSync(page, "utf8");
const [before, rest = ""] = text.split(begin, 2);
const [tables = "", after = ""] = rest.split(end, 2);
const lines = new Map([...writtenIn(tables), ...measuredIn(rows.map((row) => JSON.parse(row) as FaultReport))]);
const groups = Object.values(titles).flatMap((title) => {
  const mine = [...lines].filter(([key]) => key.startsWith(`${title} |`)).map(([, line]) => line);
  return mine.length === 0 ? [] : [`### ${title}\n\n${[...head, ...mine].join("\n")}`];
});
writeFileSync(page, `${before}${begin}\n\n${groups.join("\n\n")}\n\n${end}${after}`);
console.log(`wrote ${lines.size} rows, ${rows.length} of them measured here`);

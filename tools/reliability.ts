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

/** The newest row of each fault, in the order of their first runs. */
function newest(lines: readonly string[]): FaultReport[] {
  const rows = new Map<string, FaultReport>();
  for (const line of lines) {
    const row = JSON.parse(line) as FaultReport;
    rows.set(`${row.group} ${row.fault} ${row.backing}`, row);
  }
  return [...rows.values()];
}

function table(rows: readonly FaultReport[]): string {
  const head = [
    "| Fault | On | Acknowledged | Lost | Duplicates | Recovered after | Limit |",
    "| --- | --- | --- | --- | --- | --- | --- |",
  ];
  const body = rows.map(
    ({ fault, backing, acknowledged, of, lost, doubled, backMs, backWithinMs }) =>
      `| ${fault} | ${backing} | ${acknowledged} ${of} | ${lost} | ${doubled} | ${seconds(backMs)} | ${limit(backWithinMs)} |`,
  );
  return [...head, ...body].join("\n");
}

if (!existsSync(measured)) {
  console.error("there are no measurements yet: run npm run test:faults first");
  process.exit(1);
}
const rows = newest(readFileSync(measured, "utf8").split("\n").filter(Boolean));
const groups = Object.entries(titles).flatMap(([group, title]) => {
  const mine = rows.filter((row) => row.group === group);
  return mine.length === 0 ? [] : [`### ${title}\n\n${table(mine)}`];
});
const text = readFileSync(page, "utf8");
const [before, rest = ""] = text.split(begin, 2);
writeFileSync(page, `${before}${begin}\n\n${groups.join("\n\n")}\n\n${end}${rest.split(end, 2)[1] ?? ""}`);
console.log(`wrote ${rows.length} rows`);

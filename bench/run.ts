import { build } from "../tools/build.ts";
import { createCalibration } from "./kit/calibrate.ts";
import { type Finding, later, printTable, type Row, writeReport } from "./kit/report.ts";
import { browser } from "./rows/browser.ts";
import { dispatch } from "./rows/dispatch.ts";
import { floods } from "./rows/floods.ts";
import { images } from "./rows/images.ts";
import { ingest } from "./rows/ingest.ts";
import { joblife } from "./rows/joblife.ts";
import { lighthouseRow } from "./rows/lighthouse.ts";
import { lists } from "./rows/lists.ts";
import { live } from "./rows/live.ts";
import { loginRow } from "./rows/login.ts";
import { notifications } from "./rows/notifications.ts";
import { objectPages } from "./rows/object-pages.ts";
import { openLists } from "./rows/open-lists.ts";
import { positions } from "./rows/positions.ts";
import { route } from "./rows/route.ts";
import { scale } from "./rows/scale.ts";
import { search } from "./rows/search.ts";
import { start } from "./rows/start.ts";
import { tasks } from "./rows/tasks.ts";
import { tracing } from "./rows/tracing.ts";

/**
 * `npm run bench` measures every row, `npm run bench -- search ingest` only these, and `npm run bench -- --scale` (or
 * `--scale 100000`) what takes cities that are made once, in half an hour, and kept in `.cache/bench` and on the MariaDB of the tests.
 */
const rows: readonly Row[] = [
  start,
  browser,
  lighthouseRow,
  route,
  images,
  live,
  positions,
  openLists,
  ingest,
  search,
  lists,
  objectPages,
  joblife,
  dispatch,
  loginRow,
  floods,
  tracing,
  notifications,
  tasks,
];

const large: readonly Row[] = [scale];

const notThereYet: readonly Finding[] = [later("map, 1,000 moving markers", "<= 8 ms of script per frame")];

function chosen(names: readonly string[]): readonly Row[] {
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    console.error(`${unknown} is not a row; use any of ${rows.map(({ name }) => name).join(", ")}`);
    process.exit(2);
  }
  return names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
}

const names = process.argv.slice(2).filter((name) => name !== "--scale");
const isLarge = process.argv.includes("--scale");
const found: Finding[] = [];
await build({ onlyIfStale: true });
for (const row of isLarge ? large : chosen(names)) {
  const started = performance.now();
  const { sample, slowness } = createCalibration();
  console.log(`${row.name}: ${row.title}`);
  const findings = await row.run({ sample, slowness, log: (line) => console.log(`  ${line}`) });
  const seconds = Math.round(performance.now() - started) / 1000;
  writeReport(row.name, { row: row.name, at: new Date().toISOString(), slowness: slowness(), seconds, findings });
  console.log(`  ${seconds.toFixed(0)} s, machine at ${slowness().toFixed(2)} of the reference time`);
  found.push(...findings);
}
if (names.length === 0 && !isLarge) found.push(...notThereYet);
printTable(found);
const missed = found.filter(({ met }) => met === false);
if (missed.length > 0) {
  console.log(`\n${missed.length} budget(s) missed: ${missed.map(({ row }) => row).join("; ")}`);
  process.exitCode = 1;
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { person, signIn } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance, run as command, secrets, serve } from "@rollcall/testkit/program.ts";
import { type BenchDatabase, createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";
import { growth, tableSizes } from "../kit/table-sizes.ts";
import { floodKinds, type FloodMeans } from "../load/flood-kinds.ts";
import type { FloodOrder, FloodReport } from "../load/floods.ts";
import { honest, send, type Visitor } from "../load/honest.ts";

const seconds = Number(process.env["ROLLCALL_BENCH_FLOOD_SECONDS"] ?? 20);
const quietSeconds = Math.min(10, seconds);
const connections = 64;
const p95AtMostMs = 250;

interface Stage {
  readonly instance: Instance;
  readonly mariadb: BenchDatabase | null;
  readonly logins: ReadonlyMap<string, string>;
  readonly sender: ChildProcess;
}

const from = (address: string) => ({ "x-forwarded-for": address });

/** Signed in again for each flood: a user token is valid for ten minutes. */
async function visitorsOf({ instance, logins }: Stage): Promise<Visitor[]> {
  const visitors: Visitor[] = [];
  for (const [i, username] of ["police.chief", "police.officer", "taxi.boss", "family.boss"].entries()) {
    const address = `192.0.2.${i + 10}`;
    const password = logins.get(username);
    if (password === undefined) throw new Error(`the demo city has no login ${username}`);
    visitors.push({ ...(await signIn(instance.url, username, password, from(address))), address });
  }
  return visitors;
}

async function meansOf(
  { instance }: Stage,
  flooder: { username: string; password: string },
  follower: Visitor,
): Promise<FloodMeans> {
  const { url } = instance;
  const player = await signIn(url, flooder.username, flooder.password, from("192.0.2.200"));
  const ended = await signIn(url, flooder.username, flooder.password, from("192.0.2.200"));
  await send(instance.port, "192.0.2.200", {
    what: "sign-out",
    path: "/api/auth/logout",
    body: {},
    headers: { cookie: ended.cookie },
  });
  return { url, token: player.token, cookie: player.cookie, deadCookie: ended.cookie, followerToken: follower.token };
}

async function flood(sender: ChildProcess, order: FloodOrder): Promise<FloodReport> {
  sender.send(order);
  const [report] = (await once(sender, "message")) as [FloodReport | { failed: string }];
  if ("failed" in report) throw new Error(report.failed);
  return report;
}

async function beside<T>(stage: Stage, visitors: readonly Visitor[], work: () => Promise<T>) {
  let over = false;
  const { url, port } = stage.instance;
  const others = honest({ url, port, syncToken: secrets.sync }, visitors, () => over);
  const report = await work().finally(() => (over = true));
  return { report, ...(await others) };
}

async function measure(stage: Stage, backing: string, machine: Machine): Promise<Finding[]> {
  const findings: Finding[] = [];
  const refusals: string[] = [];
  const flooder = await person(stage.instance, { username: "flooder", job: "unemployed", grade: 0 });
  const begun = await tableSizes(stage.instance, stage.mariadb);
  const quiet = await beside(
    stage,
    await visitorsOf(stage),
    async () => await new Promise((done) => setTimeout(done, quietSeconds * 1000)),
  );
  const usual =
    growth(begun, await tableSizes(stage.instance, stage.mariadb)).reduce((sum, { rows }) => sum + rows, 0) / quietSeconds;
  machine.log(`${backing}, quiet: p95 ${percentile(quiet.times, 0.95).toFixed(0)} ms, ${usual.toFixed(1)} rows a second`);
  for (const [i, { name }] of floodKinds.entries()) {
    machine.sample();
    const visitors = await visitorsOf(stage);
    const means = await meansOf(stage, flooder, visitors[0]!);
    const before = await tableSizes(stage.instance, stage.mariadb);
    const order = { ...means, port: stage.instance.port, kind: name, network: `203.0.113.${i + 1}`, seconds, connections };
    const { report, times, refused } = await beside(stage, visitors, async () => await flood(stage.sender, order));
    const grown = growth(before, await tableSizes(stage.instance, stage.mariadb));
    const rows = grown.reduce((sum, one) => sum + one.rows, 0);
    refusals.push(...refused.map((one) => `${one} (${name})`));
    const answers = Object.entries(report.answers).map(([answer, count]) => `${count} x ${answer}`);
    const most = grown.slice(0, 3).map((one) => `${one.table} +${one.rows}`);
    const p95 = percentile(times, 0.95);
    const line = `${report.perSecond.toFixed(0)} a second, answered ${answers.join(", ")}; ${times.length} calls of others, p50 ${percentile(times, 0.5).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms, ${refused.length} refused; +${rows} rows (${most.join(", ")})`;
    machine.log(`${backing}, ${name}: p95 ${p95.toFixed(0)} ms; ${line}`);
    findings.push(
      finding({
        row: `others' p95 during a flood, ${backing}: ${name}`,
        measured: { value: p95, unit: "ms" },
        baseline: { value: percentile(quiet.times, 0.95), unit: "ms" },
        atMost: p95AtMostMs,
        slowness: machine.slowness(),
        note: line,
      }),
    );
  }
  const ended = growth(begun, await tableSizes(stage.instance, stage.mariadb));
  findings.push(
    finding({
      row: `others refused during ${floodKinds.length} floods, ${backing}`,
      measured: { value: refusals.length, unit: "calls" },
      atMost: 0,
      note: refusals.slice(0, 20).join("; "),
    }),
    finding({
      row: `rows that all floods left, ${backing}`,
      measured: { value: ended.reduce((sum, { rows }) => sum + rows, 0), unit: "rows" },
      baseline: { value: usual * seconds * floodKinds.length, unit: "rows" },
      note: `baseline: what everybody else writes in that time; ${ended.map(({ table, rows }) => `${table} +${rows}`).join(", ")}`,
    }),
  );
  return findings;
}

async function onBacking(backing: string, mariadb: BenchDatabase | null, machine: Machine): Promise<Finding[]> {
  const instance = await makeInstance(mariadb === null ? {} : { dsn: mariadb.dsn });
  const program = await serve(instance, { env: { ROLLCALL_HTTP_TRUSTEDPROXIES: "127.0.0.0/8" } });
  const sender = fork(path.resolve(import.meta.dirname, "../load/floods.ts"));
  try {
    const { code, stdout, stderr } = await command(["demo", "load"], instance);
    if (code !== 0) throw new Error(stderr);
    const logins = new Map([...stdout.matchAll(/^ {2}(\S+) +(\S+) {2}/gm)].map((match) => [match[1] ?? "", match[2] ?? ""]));
    return await measure({ instance, mariadb, logins, sender }, backing, machine);
  } finally {
    sender.send("stop");
    await program.stop();
    instance.remove();
  }
}

async function run(machine: Machine): Promise<Finding[]> {
  const findings = await onBacking("SQLite", null, machine);
  if (!(await hasMariadb())) return findings;
  const database = await createDatabase("floods");
  try {
    return [...findings, ...(await onBacking("MariaDB", database, machine))];
  } finally {
    await database.drop();
  }
}

export const floods: Row = {
  name: "floods",
  title: `everybody else beside ${floodKinds.length} cheap floods from one network each, ${seconds} s each`,
  run,
};

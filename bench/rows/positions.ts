import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { person, sendTo } from "@rollcall/testkit/api.ts";
import { hasNats, makeNats } from "@rollcall/testkit/backing.ts";
import { makeResidents } from "@rollcall/testkit/game/residents.ts";
import { type Instance, makeInstance, type Program, run as command, secrets, serve } from "@rollcall/testkit/program.ts";
import type { FramesReport, PositionsOrder, PositionsReport } from "../load/positions.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

const accounts = 10;
const socketsPerAccount = 20;
const viewers = accounts * socketsPerAccount;
const movers = 1000;
const everybody = 2000;
/** Until the runtime has compiled what is called often, which is no cost of the positions. */
const warmMs = 15_000;
const measureMs = 20_000;
const calls = 40;
/** What CPU over the baseline is always allowed, in percent of a core. */
const fewPercent = 5;

/** What the viewers of a job see: four classes, from everybody to an eighth. */
const views: Readonly<Record<string, string>> = {
  police: "police:4,ambulance:4,mechanic:4,taxi:4",
  ambulance: "police:4,ambulance:4",
  mechanic: "mechanic:4,taxi:4",
  taxi: "taxi:2",
};

class Load {
  readonly #child: ChildProcess = fork(path.resolve(import.meta.dirname, "../load/positions.ts"));

  async ask<T>(message: object | string): Promise<T> {
    this.#child.send(message);
    const [answer] = (await once(this.#child, "message")) as [{ value?: T; failed?: string }];
    if (answer.failed !== undefined) throw new Error(answer.failed);
    return answer.value as T;
  }

  end(): void {
    this.#child.kill();
  }
}

interface Measured {
  readonly report: PositionsReport;
  /** Percent of a core, for the program, and for a bare server with the same frames. */
  readonly cpu: number;
  readonly bareCpu: number;
  readonly callsPerSecond: number;
}

/** Processor time of a program so far, in milliseconds. */
function cpuOf({ child }: Program): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Percent of a core that a bare WebSocket server takes for the same frames. */
async function bareCpu(groups: FramesReport, ms: number): Promise<number> {
  const child = fork(path.resolve(import.meta.dirname, "../load/frames.ts"));
  const sockets: WebSocket[] = [];
  try {
    const [port] = (await once(child, "message")) as [number];
    for (let i = 0; i < viewers; i += 1) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
      sockets.push(socket);
      await once(socket, "open");
    }
    child.send({ groups, ms });
    const [cpu] = (await once(child, "message")) as [number];
    return (cpu / ms) * 100;
  } finally {
    for (const socket of sockets) socket.terminate();
    child.kill();
  }
}

/** People with jobs, of whom the first ones are on duty, and viewers in four classes who are on duty too. */
async function populate(instance: Instance): Promise<PositionsOrder> {
  const { jobs, users, residents } = makeResidents(everybody);
  await sendTo(instance.url, "jobs", jobs);
  for (let i = 0; i < users.length; i += 500) await sendTo(instance.url, "users", users.slice(i, i + 500));
  const on = (identifier: string, job: string) => ({ identifier, event: "on", job, at: Date.now(), key: identifier });
  const start = residents.slice(0, movers).map(({ identifier, jobs: [held] }) => on(identifier, held!.name));
  for (const [job, seen] of Object.entries(views)) {
    const role = ["role", "allow", "positions.view", "--job", job, "--grade", "1", "--attributes", `jobs=${seen}`];
    const { code, stderr } = await command(role, instance);
    if (code !== 0) throw new Error(stderr);
  }
  const tokens: string[] = [];
  const names = Array.from({ length: accounts }, (_, i) => `viewer${i}`);
  for (const [i, username] of names.entries()) {
    const job = Object.keys(views)[i % Object.keys(views).length]!;
    tokens.push((await person(instance, { username, job, grade: 1 })).token);
    start.push(on(`char1:licence-of-${username}`, job));
  }
  for (let i = 0; i < start.length; i += 500) {
    const items = start.slice(i, i + 500);
    const { status, text } = await sendTo(instance.url, "duty", items);
    if (status !== 200) throw new Error(text);
  }
  return {
    ...{ url: instance.url, syncToken: secrets.sync, tokens, socketsPerToken: socketsPerAccount },
    movers: residents.slice(0, movers).map(({ identifier }) => identifier),
    viewers: names.map((username) => `char1:licence-of-${username}`),
  };
}

async function measure(backing: "embedded" | "MariaDB and NATS", load: Load): Promise<Measured> {
  const database = backing === "embedded" ? null : await createDatabase("positions");
  const nats = backing === "embedded" ? null : await makeNats();
  const instance = await makeInstance(database && nats ? { dsn: database.dsn, nats: nats.url } : {});
  const program = await serve(instance);
  try {
    const order = await populate(instance);
    await load.ask({ open: order });
    await pause(warmMs);
    await load.ask("begin");
    const before = cpuOf(program);
    await pause(measureMs);
    const cpu = ((cpuOf(program) - before) / measureMs) * 100;
    const report = await load.ask<PositionsReport>("report");
    const groups = await load.ask<FramesReport>("frames");
    await load.ask("close");
    const all = { ...order, movers: makeResidents(everybody).residents.map(({ identifier }) => identifier) };
    const callsPerSecond = await load.ask<number>({ calls: all, count: calls });
    return { report, cpu, bareCpu: await bareCpu(groups, measureMs), callsPerSecond };
  } finally {
    await program.stop();
    await nats?.remove();
    await database?.drop();
    instance.remove();
  }
}

/** The age that this share of the positions has at most, in milliseconds. */
function ageAt(ages: readonly number[], share: number): number {
  let left = ages.reduce((sum, count) => sum + count, 0) * share;
  return Math.max(
    0,
    ages.findIndex((count) => (left -= count) <= 0),
  );
}

function findingsOf(backing: string, { report, cpu, bareCpu: bare, callsPerSecond }: Measured, slowness: number): Finding[] {
  const seconds = report.ms / 1000;
  const frames = report.frames.map((count) => count / seconds);
  const most = Math.max(...report.bytes) / seconds / 1000;
  const percent = (value: number) => ({ value, unit: "% of a core" });
  return [
    finding({
      row: `positions of ${movers} movers at ${viewers} viewers, age p99, ${backing}`,
      measured: { value: ageAt(report.ages, 0.99), unit: "ms" },
      atMost: 250,
      slowness,
    }),
    finding({
      row: `positions, bytes of the viewer who gets most, ${backing}`,
      measured: { value: most, unit: "kB/s" },
      atMost: 16,
    }),
    finding({
      row: `positions, frames of the viewer who gets fewest, ${backing}`,
      measured: { value: Math.min(...frames), unit: "a second" },
      atLeast: 4.5,
    }),
    finding({
      row: `positions, CPU of the program, ${backing}`,
      measured: percent(cpu),
      baseline: percent(bare),
      ratioAtMost: 2,
      orMore: fewPercent,
      slowness,
    }),
    {
      ...{ row: `positions, viewers dropped, ${backing}`, measured: String(report.dropped), baseline: "", ratio: null },
      ...{ budget: "= 0", met: report.dropped === 0 },
    },
    finding({ row: `positions, calls with ${everybody}, ${backing}`, measured: { value: callsPerSecond, unit: "calls/s" } }),
  ];
}

async function run({ sample, slowness, log }: Machine): Promise<Finding[]> {
  if (!(await hasMariadb()) || !hasNats) throw new Error("the positions row requires MariaDB and nats-server");
  const load = new Load();
  try {
    const found: Finding[] = [];
    for (const backing of ["embedded", "MariaDB and NATS"] as const) {
      const measured = await measure(backing, load);
      sample();
      const { ages, frames, ms, bytes } = measured.report;
      const perSecond = frames.map((count) => (count * 1000) / ms);
      log(
        `${backing}: age p50 ${ageAt(ages, 0.5)} ms, p99 ${ageAt(ages, 0.99)} ms, most ${ages.findLastIndex((count) => count > 0)} ms; ` +
          `frames p50 ${percentile(perSecond, 0.5).toFixed(2)}/s; kB/s ${bytes
            .map((one) => (one / ms).toFixed(1))
            .filter((_, i) => i % socketsPerAccount === 0)
            .join(" ")}`,
      );
      found.push(...findingsOf(backing, measured, slowness()));
    }
    const note = `Each mover is sent once a second, in 10 calls of 100. Age: from the instant when a position was taken, in the process of the load, until its frame was read there. Viewers in 4 classes see from all movers to an eighth. Baseline: a bare WebSocket server that sends frames of the same lengths to as many sockets, without calls, rights or encoding.`;
    return [{ ...found[0]!, note }, ...found.slice(1)];
  } finally {
    load.end();
  }
}

export const positions: Row = { name: "positions", title: `positions of ${movers} movers, shown to ${viewers} viewers`, run };

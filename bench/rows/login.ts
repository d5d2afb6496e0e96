import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeInstance, type Instance, run as command, serve } from "@rollcall/testkit/program.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import type { RequestsOrder, RequestsReport } from "../load/requests.ts";

const attempts = 10_000;
/** Eight times as many as anonymous clients may wait for a hash: the queue is always full. */
const connections = 256;
const signIns = 40;
/** One client at each of them stays far below the rate limit of one address. */
const homes = Array.from({ length: 12 }, (_home, i) => `192.0.2.${i + 10}`);
const username = "owner";

interface Attack {
  readonly name: string;
  readonly addresses: number;
  readonly username?: string;
}

const attacks: readonly Attack[] = [
  { name: "one address, the owner's account", addresses: 1, username },
  { name: "one address, many accounts", addresses: 1 },
  { name: `${attempts} addresses, the owner's account`, addresses: attempts, username },
  { name: `${attempts} addresses and accounts`, addresses: attempts },
];

interface Tried {
  readonly status: number;
  readonly ms: number;
  readonly cookies: readonly string[];
}

/** One person's browser: a new connection each time, with its stored cookies. */
async function login(instance: Instance, address: string, password: string, cookies: readonly string[] = []): Promise<Tried> {
  const started = performance.now();
  return await new Promise((resolve, reject) => {
    request(
      {
        host: "127.0.0.1",
        port: instance.port,
        method: "POST",
        path: "/api/auth/login",
        agent: false,
        headers: {
          "x-rollcall": "1",
          "content-type": "application/json",
          "x-forwarded-for": address,
          ...(cookies.length === 0 ? {} : { cookie: cookies.join("; ") }),
        },
      },
      (response) => {
        const given = (response.headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0] ?? "");
        response.resume().on("end", () => {
          resolve({ status: response.statusCode ?? 0, ms: performance.now() - started, cookies: given });
        });
      },
    )
      .on("error", reject)
      .end(JSON.stringify({ username, password }));
  });
}

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const summary = (values: readonly number[]) => `p50 ${at(values, 0.5).toFixed(0)} ms, p95 ${at(values, 0.95).toFixed(0)} ms`;

let turn = 0;

/** The owner signs in again and again until `done`; every refusal is an error. */
async function honest(instance: Instance, password: string, least: number, done: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (times.length < least || !done()) {
    const { status, ms } = await login(instance, homes[turn++ % homes.length] ?? "", password);
    if (status !== 200) throw new Error(`the owner was refused with ${status}`);
    times.push(ms);
    await pause(50);
  }
  return times;
}

async function order(sender: ChildProcess, what: RequestsOrder): Promise<RequestsReport> {
  sender.send(what);
  const [report] = (await once(sender, "message")) as [RequestsReport | { failed: string }];
  if ("failed" in report) throw new Error(report.failed);
  return report;
}

/** From an address that is new for the account: milliseconds until the sign-in succeeds, and the refusals before. */
async function newcomer(instance: Instance, password: string, address: string, cookies: readonly string[], over: () => boolean) {
  const started = performance.now();
  for (let refused = 0; ; refused += 1) {
    const { status } = await login(instance, address, password, cookies);
    if (status === 200) return `in ${(performance.now() - started).toFixed(0)} ms after ${refused} refusals`;
    if (over()) return `not before the end (${refused} refusals, the last one ${status})`;
    await pause(250);
  }
}

let newcomers = 0;

async function beside(instance: Instance, password: string, work: () => Promise<RequestsReport>, cookies: readonly string[]) {
  let over = false;
  const attack = work().finally(() => (over = true));
  const isOver = () => over;
  newcomers += 1;
  const [during, own, foreign] = await Promise.all([
    honest(instance, password, 10, isOver),
    pause(500).then(async () => await newcomer(instance, password, `198.51.100.${newcomers * 2}`, cookies, isOver)),
    pause(500).then(async () => await newcomer(instance, password, `198.51.100.${newcomers * 2 + 1}`, [], isOver)),
  ]);
  return { during, own, foreign, report: await attack };
}

async function measure(instance: Instance, password: string, backing: string, machine: Machine): Promise<Finding[]> {
  const sender = fork(path.resolve(import.meta.dirname, "../load/requests.ts"));
  const findings: Finding[] = [];
  const signedIn = await login(instance, homes[0] ?? "", password);
  const device = signedIn.cookies.filter((cookie) => cookie.startsWith("rollcall_device="));
  await honest(instance, password, homes.length * 2, () => true);
  for (const { name, ...attack } of attacks) {
    machine.sample();
    const base = { port: instance.port, connections, count: attempts, addresses: attack.addresses };
    const quiet = await honest(instance, password, signIns, () => true);
    const flood = await beside(
      instance,
      password,
      async () => await order(sender, { ...base, ...attack, what: "guess" }),
      device,
    );
    const perSecond = attempts / flood.report.seconds;
    const plain = await beside(
      instance,
      password,
      async () => await order(sender, { ...base, what: "unknown", perSecond }),
      device,
    );
    const answers = Object.entries(flood.report.answers).map(([status, count]) => `${count} x ${status}`);
    machine.log(
      `${backing}, ${name}: ${perSecond.toFixed(0)} guesses a second, ${summary(flood.during)}, plain ${summary(plain.during)}, quiet ${summary(quiet)}; new address ${flood.own}, new browser ${flood.foreign}; ${answers.join(", ")}`,
    );
    const [ours, theirs, alone] = [at(flood.during, 0.5), at(plain.during, 0.5), at(quiet, 0.5)];
    findings.push(
      finding({
        row: `login during wrong passwords, ${backing}: ${name}`,
        measured: { value: ours, unit: "ms" },
        baseline: { value: theirs, unit: "ms" },
        ratioAtMost: 2,
        note:
          `${perSecond.toFixed(0)} guesses a second over ${connections} connections, answered ${answers.join(", ")}; ` +
          `the owner signed in ${flood.during.length} times beside: ${summary(flood.during)}; ` +
          `beside as many requests for a path that does not exist: ${summary(plain.during)}; quiet: ${summary(quiet)} (${(ours / alone).toFixed(2)}x). ` +
          `From a new address with the browser used before: ${flood.own}; with a new browser: ${flood.foreign}`,
      }),
    );
  }
  sender.send("stop");
  return findings;
}

async function onBacking(backing: string, dsn: string | undefined, machine: Machine): Promise<Finding[]> {
  const instance = await makeInstance(dsn === undefined ? {} : { dsn });
  const program = await serve(instance, { env: { ROLLCALL_HTTP_TRUSTEDPROXIES: "127.0.0.1" } });
  try {
    const { code, stdout, stderr } = await command(["account", "create", username, "--licence", "owner"], instance);
    if (code !== 0) throw new Error(stderr);
    return await measure(instance, /Password: (\S+)/.exec(stdout)?.[1] ?? "", backing, machine);
  } finally {
    await program.stop();
    instance.remove();
  }
}

async function run(machine: Machine): Promise<Finding[]> {
  const findings = await onBacking("SQLite", undefined, machine);
  if (!(await hasMariadb())) return findings;
  const database = await createDatabase("login");
  try {
    return [...findings, ...(await onBacking("MariaDB", database.dsn, machine))];
  } finally {
    await database.drop();
  }
}

export const loginRow: Row = { name: "login", title: `signing in beside ${attempts} wrong passwords`, run };

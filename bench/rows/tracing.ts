import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import autocannon from "autocannon";
import { person, sendTo } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance } from "@rollcall/testkit/program.ts";
import { allow } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

const modes = ["disabled", "bypassed", "traced"] as const;
type Mode = (typeof modes)[number];

const rounds = 24;
const seconds = 1;
const connections = 16;

interface Running {
  readonly instance: Instance;
  readonly server: ChildProcess;
  readonly url: string;
  readonly headers: Record<string, string>;
}

interface Sample {
  readonly perSecond: number;
  /** Processor time of the server per request. Microseconds. */
  readonly cpu: number;
}

/** The program in a mode, with an officer who may read citizens. */
async function start(mode: Mode, collector: number): Promise<Running> {
  const instance = await makeInstance();
  const otlp = `{ enabled: true, type: http, url: "http://127.0.0.1:${collector}", ratio: 1, compression: gzip }`;
  instance.configure(`updateCheck: { enabled: false }\n${mode === "traced" ? `otlp: ${otlp}\n` : ""}`);
  const server = fork(path.resolve(import.meta.dirname, "../load/tracing.ts"), [instance.folder, mode], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(server, "message");
  await sendTo(instance.url, "jobs", [
    { name: "police", label: "Police", grades: [0, 1].map((grade) => ({ grade, label: "Rank" })) },
  ]);
  await allow(instance, "citizens.list", "fields=job,phone,licences,visum,playtime");
  await allow(instance, "citizens.view");
  const who = await person(instance, { username: "reader" });
  const headers = { "x-rollcall": "1", authorization: `Bearer ${who.token}` };
  return { instance, server, url: `${instance.url}/api/citizens/${who.characterId}`, headers };
}

async function cpuOf({ server }: Running): Promise<number> {
  server.send("cpu");
  const [ms] = (await once(server, "message")) as [number];
  return ms;
}

async function measure(running: Running): Promise<Sample> {
  const before = await cpuOf(running);
  const { url, headers } = running;
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx + result.errors} requests failed`);
  const requests = result.requests.total;
  return { perSecond: requests / result.duration, cpu: ((await cpuOf(running)) - before) / (requests / 1000) };
}

async function run({ log }: Machine): Promise<Finding[]> {
  const collector = createServer((request, response) => void request.resume().on("end", () => response.end("{}")));
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const running = {} as Record<Mode, Running>;
  const samples: Record<Mode, Sample[]> = { disabled: [], bypassed: [], traced: [] };
  try {
    for (const mode of modes) running[mode] = await start(mode, (collector.address() as AddressInfo).port);
    for (const mode of modes) await measure(running[mode]);
    for (let round = 0; round < rounds; round += 1) {
      // The order alternates, so that warming up favours neither.
      const turn = round % 2 === 0 ? modes : modes.toReversed();
      for (const mode of turn) samples[mode].push(await measure(running[mode]));
    }
  } finally {
    for (const { server, instance } of Object.values(running)) {
      if (server.connected) server.send("stop");
      if (server.exitCode === null) await once(server, "exit");
      instance.remove();
    }
    collector.closeAllConnections();
    collector.close();
  }
  const middle = (mode: Mode, of: keyof Sample) =>
    percentile(
      samples[mode].map((one) => one[of]),
      0.5,
    );
  const ratio = (mode: Mode, of: keyof Sample) =>
    percentile(
      samples[mode].map((one, i) => one[of] / (samples.bypassed[i]?.[of] ?? Number.NaN)),
      0.5,
    );
  for (const mode of modes)
    log(`${mode}: ${middle(mode, "perSecond").toFixed(0)} req/s, ${middle(mode, "cpu").toFixed(1)} µs of processor a request`);
  const rate = (mode: Mode) => ({ value: middle(mode, "perSecond"), unit: "req/s" });
  return [
    finding({
      row: "tracing: switched off",
      measured: rate("disabled"),
      baseline: rate("bypassed"),
      ratio: ratio("disabled", "perSecond"),
    }),
    finding({
      row: "tracing: switched off, processor time",
      measured: { value: middle("disabled", "cpu"), unit: "µs" },
      baseline: { value: middle("bypassed", "cpu"), unit: "µs" },
      ratio: ratio("disabled", "cpu"),
      ratioAtMost: 1.01,
      note: `Of one request of citizens.get, the median of ${rounds} pairs of runs of ${seconds} s with ${connections} connections (SQLite). Baseline: the same program with the places where tracing could step in cut out of its source. The verdict goes by processor time, because requests per second depend on what else the machine does.`,
    }),
    finding({
      row: "tracing: every request",
      measured: rate("traced"),
      baseline: rate("bypassed"),
      ratio: ratio("traced", "perSecond"),
      note: "With ratio 1, gzip and an HTTP collector in the process of the load, for information: the default ratio is 0.1.",
    }),
  ];
}

export const tracing: Row = { name: "tracing", title: "what tracing costs, switched off and on", run };

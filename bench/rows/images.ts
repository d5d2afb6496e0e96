import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import autocannon from "autocannon";
import { makeInstance } from "@rollcall/testkit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

interface Told {
  readonly ours: string;
  readonly file: string;
  readonly size: number;
}

const rounds = 9;
const seconds = 2;
const connections = 16;

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, headers: {}, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return result.requests.average;
}

async function run({ log, sample }: Machine): Promise<Finding[]> {
  const instance = await makeInstance();
  instance.configure('imageProxy: { options: { allowHosts: ["127.0.0.1"] } }\n');
  const server = fork(path.resolve(import.meta.dirname, "../load/images.ts"), [instance.folder], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const [{ ours, file, size }] = (await once(server, "message")) as [Told];
    const measured = { ours: [] as number[], file: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      // In turns, so that a machine that gets slower or faster favours neither.
      const order = round % 2 === 0 ? (["ours", "file"] as const) : (["file", "ours"] as const);
      for (const which of order) measured[which].push(await requestsPerSecond({ ours, file }[which]));
      sample();
    }
    server.send("fetches");
    const [{ fetches }] = (await once(server, "message")) as [{ fetches: number }];
    if (fetches !== 1) throw new Error(`the picture was fetched ${fetches} times`);
    log(JSON.stringify(measured));
    return [
      finding({
        row: "image proxy: cached picture",
        measured: { value: percentile(measured.ours, 0.5), unit: "req/s" },
        baseline: { value: percentile(measured.file, 0.5), unit: "req/s" },
        ratio: percentile(
          measured.ours.map((value, round) => value / measured.file[round]!),
          0.5,
        ),
        ratioAtLeast: 0.7,
        note: `median of ${rounds} pairs of ${seconds} s with ${connections} connections, a picture of ${size} bytes. Baseline: the same bytes as a file, served by bare Fastify with @fastify/static in the same process, without mark, session, rate limit, metrics and headers.`,
      }),
    ];
  } finally {
    if (server.connected) server.send("stop");
    if (server.exitCode === null) await once(server, "exit");
    instance.remove();
  }
}

export const images: Row = { name: "images", title: "a cached picture against a static file", run };

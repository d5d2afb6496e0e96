import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import autocannon from "autocannon";
import { call, person, sendTo } from "@rollcall/testkit/api.ts";
import { makeInstance } from "@rollcall/testkit/program.ts";
import { allow } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

interface Ports {
  readonly reading: number;
  readonly looking: number;
  readonly still: number;
}

const rounds = 3;
const seconds = 3;
const connections = 16;

async function requestsPerSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return result.requests.average;
}

async function run({ log }: Machine): Promise<Finding[]> {
  const instance = await makeInstance();
  const server = fork(path.resolve(import.meta.dirname, "../load/routes.ts"), [instance.folder], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    await once(server, "message");
    await sendTo(instance.url, "jobs", [
      { name: "police", label: "Police", grades: [0, 1, 2, 3].map((grade) => ({ grade, label: `Rank ${grade}` })) },
    ]);
    await allow(instance, "citizens.list", "fields=job,phone,licences,visum,playtime");
    await allow(instance, "citizens.view");
    const who = await person(instance, { username: "reader" });
    await sendTo(instance.url, "users", [
      {
        identifier: "char1:licence-of-reader",
        firstName: "Per",
        lastName: "Reader",
        jobs: [{ name: "police", grade: 1 }],
        phoneNumbers: [{ number: "555-0100" }],
        licences: ["drive"],
        playtime: 7200,
        visum: 3,
      },
    ]);
    const headers = { "x-rollcall": "1", authorization: `Bearer ${who.token}` };
    const url = `${instance.url}/api/citizens/${who.characterId}`;
    const answer = await call(instance.url, `/api/citizens/${who.characterId}`, { token: who.token });
    const jobs = await call(instance.url, "/api/jobs", { token: who.token });
    if (answer.status !== 200 || jobs.status !== 200) throw new Error(answer.text + jobs.text);
    server.send({ answer: answer.text, id: who.characterId });
    const [ports] = (await once(server, "message")) as [Ports];
    const targets = {
      ours: async () => await requestsPerSecond(url, headers),
      reading: async () => await requestsPerSecond(`http://127.0.0.1:${ports.reading}/reading`),
      looking: async () => await requestsPerSecond(`http://127.0.0.1:${ports.looking}/looking`),
      kept: async () => await requestsPerSecond(`${instance.url}/api/jobs`, headers),
      still: async () => await requestsPerSecond(`http://127.0.0.1:${ports.still}/still`),
    };
    const measured = {
      ours: [] as number[],
      reading: [] as number[],
      looking: [] as number[],
      kept: [] as number[],
      still: [] as number[],
    };
    for (let round = 0; round < rounds; round++) {
      for (const name of ["ours", "reading", "looking", "kept", "still"] as const) measured[name].push(await targets[name]());
    }
    const rate = (name: keyof typeof measured) => ({ value: percentile(measured[name], 0.5), unit: "req/s" });
    log(JSON.stringify(measured));
    return [
      finding({
        row: "route: citizens.get",
        measured: rate("ours"),
        baseline: rate("reading"),
        ratioAtLeast: 0.5,
        note: `median of ${rounds} runs of ${seconds} s with ${connections} connections (SQLite). Baseline: bare Fastify in the same process that sends the same statements and answers the same bytes, without session, permission, validation, field rights, metrics and headers. The lines "against no read" compare with bare Fastify that reads nothing.`,
      }),
      finding({
        row: "route: jobs.list, kept in memory",
        measured: rate("kept"),
        baseline: rate("looking"),
        ratioAtLeast: 0.5,
        note: "Baseline: bare Fastify around the same snapshot of the database, which reads the jobs again every few seconds.",
      }),
      finding({ row: "route: citizens.get against no read", measured: rate("ours"), baseline: rate("still") }),
      finding({ row: "route: jobs.list against no read", measured: rate("kept"), baseline: rate("still") }),
    ];
  } finally {
    if (server.connected) server.send("stop");
    if (server.exitCode === null) await once(server, "exit");
    instance.remove();
  }
}

export const route: Row = { name: "route", title: "overhead of an authenticated, validated read", run };

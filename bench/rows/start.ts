import { execFile } from "node:child_process";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { makeInstance, type Instance, type Program, runProgram } from "@rollcall/testkit/program.ts";
import { memoryOf } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile, timed } from "../kit/stats.ts";

const starts = 5;
const operations = 400;
const idleMs = 5_000;

const runFile = promisify(execFile);

/** Milliseconds from the start of the process until the admin listener reports that it is ready. */
async function untilReady(instance: Instance): Promise<{ program: Program; ms: number }> {
  const started = performance.now();
  const program = runProgram(["serve"], { cwd: instance.folder });
  for (;;) {
    const ready = await fetch(`${instance.adminUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return { program, ms: performance.now() - started };
    if (program.child.exitCode !== null) throw new Error(program.output());
    await pause(5);
  }
}

interface Boot {
  readonly booted: number;
  readonly memory: number;
  readonly first: number;
}

async function boot(count: number): Promise<Boot> {
  const { stdout } = await runFile(process.execPath, [path.resolve(import.meta.dirname, "../load/boot.ts"), String(count)]);
  return JSON.parse(stdout) as Boot;
}

async function run({ sample, slowness: slownessOf }: Machine): Promise<Finding[]> {
  const ms = (value: number) => ({ value, unit: "ms" });
  const instance = await makeInstance();
  const took: number[] = [];
  const bare: number[] = [];
  let idle = 0;
  try {
    const first = await untilReady(instance);
    await first.program.stop();
    for (let i = 0; i < starts; i++) {
      sample();
      bare.push(await timed(async () => await runFile(process.execPath, ["-e", "0"])));
      const { program, ms: each } = await untilReady(instance);
      took.push(each);
      if (i === starts - 1) {
        await pause(idleMs);
        idle = memoryOf(program);
      }
      await program.stop();
    }
    const boots: Boot[] = [];
    for (let i = 0; i < 3; i++) boots.push(await boot(operations));
    const few = await boot(25);
    const booted = percentile(
      boots.map((one) => one.booted),
      0.5,
    );
    const memory =
      percentile(
        boots.map((one) => one.memory),
        0.5,
      ) / 1e6;
    const firstAnswer = percentile(
      boots.map((one) => one.first),
      0.5,
    );
    const slowness = slownessOf();
    return [
      finding({
        row: "start to ready, embedded",
        measured: ms(percentile(took, 0.5)),
        baseline: ms(percentile(bare, 0.5)),
        atMost: 2000,
        slowness,
        note: `median of ${starts} starts until /readyz says 200, on a database that is there; the first one, with all migrations, took ${first.ms.toFixed(0)} ms. Baseline: Node that does nothing.`,
      }),
      finding({
        row: "idle memory, embedded",
        measured: { value: idle, unit: "MB" },
        atMost: 200,
        note: `resident memory ${idleMs / 1000} s after it was ready`,
      }),
      finding({
        row: `boot with ${operations} operations`,
        measured: ms(booted),
        baseline: ms(few.booted),
        atMost: 1000,
        slowness,
        note: `the HTTP server alone until it listens, ${memory.toFixed(0)} MB more than before, the first answer after that in ${firstAnswer.toFixed(0)} ms. Baseline: the same with 25 operations.`,
      }),
    ];
  } finally {
    instance.remove();
  }
}

export const start: Row = { name: "start", title: "start, idle memory and boot with many operations", run };

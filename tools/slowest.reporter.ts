import type { Reporter, TestModule } from "vitest/node";

const listed = 8;

/** Lists the slowest files below the output of the other reporter. */
export default class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byTime = modules.toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration);
    for (const module of byTime.slice(0, listed))
      process.stdout.write(`${(module.diagnostic().duration / 1000).toFixed(1).padStart(7)} s  ${module.relativeModuleId}\n`);
  }
}

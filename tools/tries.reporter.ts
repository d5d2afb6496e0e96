import type { Reporter, TestModule } from "vitest/node";

const slowest = 8;

/**
 * Names, below the other reporter's output, the tests that passed only at their second try, with
 * what the first one said, and the files that took longest. A test named here has a race to mend.
 */
export default class TriesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue;
        const said = test.result().errors?.[0]?.message.split("\n")[0] ?? "";
        process.stdout.write(`second try: ${module.relativeModuleId} > ${test.fullName}: ${said}\n`);
      }
    const byTime = modules.toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration);
    for (const module of byTime.slice(0, slowest))
      process.stdout.write(`${(module.diagnostic().duration / 1000).toFixed(1).padStart(7)} s  ${module.relativeModuleId}\n`);
  }
}

import type { Reporter, TestModule } from "vitest/node";

const listed = 8;

/**
 * Lists, below the output of the other reporter, the slowest files, and the tests that passed only at
 * their second try, with the first failure. A listed test has a race condition to fix.
 */
export default class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue;
        const failure = test.result().errors?.[0]?.message.split("\n")[0] ?? "";
        process.stdout.write(`second try: ${module.relativeModuleId} > ${test.fullName}: ${failure}\n`);
      }
    const byTime = modules.toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration);
    for (const module of byTime.slice(0, listed))
      process.stdout.write(`${(module.diagnostic().duration / 1000).toFixed(1).padStart(7)} s  ${module.relativeModuleId}\n`);
  }
}

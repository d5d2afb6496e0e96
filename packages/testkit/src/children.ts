import type { ChildProcess } from "node:child_process";

/** Child processes of this test process that still run. */
const running = new Set<ChildProcess>();
const killRunning = () => {
  for (const child of running) child.kill("SIGKILL");
};
process.once("exit", killRunning);
// vitest ends its processes by this signal, after which there is no "exit".
process.once("SIGTERM", () => {
  killRunning();
  process.kill(process.pid, "SIGTERM");
});

/** Ends a child with the test process, however that ends: a test that reaches its time limit does not stop its own. */
export function endWithTests<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

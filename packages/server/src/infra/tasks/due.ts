import type { Broker, Log, Subscription } from "#core/ports/index.ts";
import type { TaskRunner } from "./runner.ts";
import type { TaskQueue } from "./tasks.ts";

const subject = "tasks.due";
const nothing = new Uint8Array();

export interface DueOptions {
  readonly broker: Broker;
  readonly tasks: TaskQueue;
  readonly runner: TaskRunner;
  readonly log: Log;
}

/**
 * Tells the runners of all processes that tasks are due, once a moment however many are enqueued. Without the
 * broker they find them at their next look.
 */
export function shareDue({ broker, tasks, runner, log }: DueOptions): Subscription {
  let told = false;
  tasks.onDue(() => {
    runner.nudge();
    if (told || !broker.state().up) return;
    told = true;
    setImmediate(() => {
      told = false;
      broker
        .publish(subject, nothing)
        .catch((error: unknown) => log.debug({ err: error }, "other processes were not told of tasks"));
    });
  });
  return broker.subscribe(subject, () => runner.nudge());
}

import { AsyncLocalStorage } from "node:async_hooks";
import { NestedUnitOfWork } from "./errors.ts";

interface Running {
  readonly name: string;
  active: boolean;
}

const storage = new AsyncLocalStorage<Running>();

/** The name of the unit of work or read snapshot that runs in this async context, else null. */
export function runningUnitOfWork(): string | null {
  const running = storage.getStore();
  return running?.active ? running.name : null;
}

/**
 * Throws `NestedUnitOfWork` inside a unit of work. Adapters whose calls must not be awaited there
 * (database pool, broker, outgoing HTTP) call it first; `action` completes "cannot ...".
 */
export function assertOutsideUnitOfWork(action: string): void {
  const name = runningUnitOfWork();
  if (name !== null) throw new NestedUnitOfWork(`cannot ${action} inside the unit of work ${name}`);
}

/** For database adapters: marks `work` as one unit of work. Work that outlives it counts as outside. */
export async function enterUnitOfWork<T>(name: string, work: () => Promise<T>): Promise<T> {
  const running: Running = { name, active: true };
  try {
    return await storage.run(running, work);
  } finally {
    running.active = false;
  }
}

/** Runs `action` outside the current unit of work. */
export function leaveUnitOfWork(action: () => void): void {
  storage.exit(action);
}

import { hash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Clock } from "#core/ports/index.ts";

/** A file that has not grown for this long is abandoned, whichever machine wrote it. */
const abandonedMs = 60 * 60_000;

/** `<machine>.<pid>.<life>.<number>`, as `next` creates them. */
const shape = /^[0-9a-f]{8}\.[0-9]{1,10}\.[0-9A-Z]+\.[0-9]+$/;

const host = hash("md5", hostname()).slice(0, 8);

/** Names of temporary files, which identify the machine and process that write them. */
export interface Incoming {
  readonly folder: string;
  next(): string;
  /** Removes the files of killed processes; returns how many. */
  clean(): Promise<number>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function createIncoming(folder: string, life: string, clock: Clock): Incoming {
  let counter = 0;
  const own = `${host}.${process.pid}.${life}.`;

  async function isLeftOver(name: string): Promise<boolean> {
    if (name.startsWith(own)) return false;
    const [machine, pid = ""] = name.split(".");
    // In a container, a process often has the same pid after a restart.
    if (machine === host && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
    const { mtimeMs } = await stat(path.join(folder, name));
    return clock.now() - mtimeMs > abandonedMs;
  }

  return {
    folder,
    next: () => path.join(folder, `${own}${(counter += 1)}`),
    async clean() {
      let removed = 0;
      for (const name of await readdir(folder).catch(() => [])) {
        if (!shape.test(name) || !(await isLeftOver(name).catch(() => false))) continue;
        await rm(path.join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

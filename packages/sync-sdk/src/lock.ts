import fs from "node:fs";
import path from "node:path";

const heldKey = Symbol.for("@rollcall/sync-sdk locks");
const shared = globalThis as { [heldKey]?: Set<string> };
/** What this process holds, in all copies of this file that it has loaded. */
const held = (shared[heldKey] ??= new Set());

/** State and start time (in ticks since the machine started) of a process: they distinguish it from a later one with the same id. */
function statOf(pid: number): { state: string; start: string } {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return { state: "", start: "" };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A lock is touched this often, and one that was not for longer than the second was left. Milliseconds. */
const [touchMs, leftMs] = [10_000, 60_000];

/** A lock with this content, touched last at this time, was left by a process that is no more. */
function isStale(content: string, touchedAt: number): boolean {
  const [pid = "", start = ""] = content.trim().split(" ");
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0 || !isAlive(number)) return true;
  // Where the system does not tell when a process started, an earlier one had our id: what this one holds is known.
  if (number === process.pid && start === "") return true;
  if (start === "") return Date.now() - touchedAt > leftMs;
  const now = statOf(number);
  // A killed process that its parent has not reaped yet has no open files.
  return now.state === "Z" || now.start !== start;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** True also when there is none any more. */
function isStaleFile(file: string): boolean {
  try {
    return isStale(fs.readFileSync(file, "utf8"), fs.statSync(file).mtimeMs);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    throw error;
  }
}

/** Where the system does not tell when a process started, this says that its lock is still held. */
function keepTouched(file: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => undefined);
  }, touchMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** False when another client was faster, which keeps its lock. */
function removeStale(file: string): boolean {
  const aside = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    throw error;
  }
  const removes = isStaleFile(aside);
  if (!removes) fs.linkSync(aside, file);
  fs.unlinkSync(aside);
  return removes;
}

/** Takes the lock file or throws; a lock left by a killed process is taken over. Returns how to release it. */
export function takeLock(given: string): () => void {
  const file = path.join(fs.realpathSync(path.dirname(given)), path.basename(given));
  for (let attempt = 0; ; attempt++) {
    try {
      fs.writeFileSync(file, `${process.pid} ${statOf(process.pid).start}\n`, { flag: "wx" });
      held.add(file);
      const stop = keepTouched(file);
      return () => {
        stop();
        held.delete(file);
        fs.rmSync(file, { force: true });
      };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (attempt > 0 || held.has(file) || !isStaleFile(file) || !removeStale(file))
        throw new Error(
          `${file} is held by another client; give each its own queueDir. If no other client runs, try again after a minute, or delete this file`,
          { cause: error },
        );
    }
  }
}

import fs from "node:fs";

const held = new Set<string>();

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

function isStale(file: string): boolean {
  if (held.has(file)) return false;
  const [pid = "", start = ""] = fs.readFileSync(file, "utf8").trim().split(" ");
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0 || number === process.pid || !isAlive(number)) return true;
  const now = statOf(number);
  // A killed process that its parent has not reaped yet has no open files.
  return now.state === "Z" || (start !== "" && now.start !== start);
}

/** Takes the lock file or throws; a lock left by a killed process is taken over. Returns how to release it. */
export function takeLock(file: string): () => void {
  for (let attempt = 0; ; attempt++) {
    try {
      fs.writeFileSync(file, `${process.pid} ${statOf(process.pid).start}\n`, { flag: "wx" });
      held.add(file);
      return () => {
        held.delete(file);
        fs.rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt > 0) throw error;
      if (!isStale(file)) throw new Error(`${file} is held by another client; give each its own queueDir`, { cause: error });
      fs.rmSync(file, { force: true });
    }
  }
}

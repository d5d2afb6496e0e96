import fs from "node:fs/promises";
import path from "node:path";
import { optionError, SyncError } from "./errors.ts";
import type { SyncEvent } from "./events.ts";
import { Journal, journalFile } from "./journal.ts";
import { takeLock } from "./lock.ts";
import type { Timing } from "./retry.ts";

/** The journal in its folder of `queueDir`, which only one client may use at a time. */
export async function openRequestJournal(
  queueDir: string | undefined,
  timing: Pick<Timing, "date">,
  emit: (event: SyncEvent) => void,
): Promise<{ readonly journal: Journal; release(): void }> {
  if (queueDir === undefined)
    throw optionError("queueDir: requests need a directory, where the ids of those that were run are kept");
  const directory = path.join(queueDir, "requests");
  try {
    await fs.mkdir(directory, { recursive: true, mode: 0o700 });
    const release = takeLock(path.join(directory, "lock"));
    try {
      const file = path.join(directory, "journal");
      const journal = await Journal.open(journalFile(file), () => timing.date());
      if (journal.damaged > 0) emit({ type: "damaged", file, lines: journal.damaged });
      return { journal, release };
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw new SyncError(`queueDir: ${directory} cannot be used: ${(error as Error).message}`, {
      code: "queue.unavailable",
      cause: error,
    });
  }
}

import fs from "node:fs/promises";
import path from "node:path";
import { SyncError } from "./errors.ts";
import { readLine, syncDirectory, writeDurably, writeLine } from "./segment.ts";

/** A text file of whole lines. */
export interface JournalFile {
  /** Empty when there is none. */
  read(): Promise<string>;
  /** Resolves once the text is safe on disk. */
  append(text: string): Promise<void>;
  /** Replaces the whole content, or leaves it as it was. */
  replace(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Throws `SyncError` when the file cannot be written. */
async function writing(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = `${file} cannot be written: ${(error as Error).message}; nothing is run until it can be`;
    throw new SyncError(message, { code: "queue.unavailable", cause: error });
  }
}

export function journalFile(file: string): JournalFile {
  let open: fs.FileHandle | null = null;
  const close = async () => {
    const handle = open;
    open = null;
    await handle?.close();
  };
  return {
    async read() {
      try {
        return await fs.readFile(file, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
        throw error;
      }
    },
    async append(text) {
      await writing(file, async () => {
        if (open === null) {
          open = await fs.open(file, "a", 0o600);
          await syncDirectory(path.dirname(file));
        }
        await open.appendFile(text);
        await open.datasync();
      });
    },
    async replace(text) {
      await writing(file, async () => {
        await close();
        await writeDurably(file, text);
      });
    },
    close,
  };
}

/** What became of a request. */
export interface RequestEnd {
  readonly outcome: "done" | "refused" | "unknown";
  readonly answer?: Record<string, unknown>;
  readonly reason?: string;
}

export interface Receipt extends RequestEnd {
  readonly id: string;
}

interface Entry {
  /** When it began, milliseconds UTC. */
  readonly at: number;
  /** Null while its handler runs. */
  end: RequestEnd | null;
  /** Rollcall has the receipt. */
  acknowledged: boolean;
}

export interface JournalPosition {
  readonly epoch: string;
  readonly position: number;
}

type Line =
  | { readonly type: "begin"; readonly id: string; readonly at: number }
  | ({ readonly type: "end"; readonly id: string; readonly at: number } & RequestEnd)
  | { readonly type: "acknowledge"; readonly ids: readonly string[] }
  | ({ readonly type: "position" } & JournalPosition)
  | { readonly type: "doubt"; readonly on: boolean };

/** What the beginning of a line looks like, as a process leaves it that dies while it writes. */
const torn = /^(?:[0-9a-f]{0,8}|[0-9a-f]{8} (?:0(?: .*)?)?)$/s;

/** Ids are kept this long, so that a request that comes again, for example after a restore, is not run twice. */
const keptMs = 7 * 24 * 60 * 60_000;
const mostEntries = 100_000;
/** So many lines more than entries are compacted. */
const mostSurplus = 1000;

export const crashReason = "The plugin's process stopped while it ran this.";
export const doubtReason = "The plugin's record of what it ran was damaged, so it did not run this.";

/**
 * Remembers on disk which requests were begun and what became of them. A request whose id is in it is never
 * run again: one that had begun when the process died has ended as `unknown`.
 */
export class Journal {
  readonly #file: JournalFile;
  readonly #date: () => number;
  readonly #entries = new Map<string, Entry>();
  #position: JournalPosition | null = null;
  #lines = 0;
  #damaged = 0;
  #doubts = false;
  /** The end of the file may be a torn line, which would spoil the next one. */
  #torn = false;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(file: JournalFile, date: () => number) {
    this.#file = file;
    this.#date = date;
  }

  static async open(file: JournalFile, date: () => number): Promise<Journal> {
    const journal = new Journal(file, date);
    const lines = (await file.read()).split("\n");
    const last = lines.pop() ?? "";
    const read = lines.map((line) => readLine(line)?.value as Line | undefined);
    for (const line of read) journal.#apply(line);
    // A torn last line was never acknowledged, so nothing was run on its word.
    journal.#damaged = read.filter((line) => line === undefined).length + (torn.test(last) ? 0 : 1);
    if (journal.#damaged > 0) journal.#doubts = true;
    for (const entry of journal.#entries.values()) entry.end ??= { outcome: "unknown", reason: crashReason };
    await journal.#compact();
    return journal;
  }

  /** Behind which requests are fetched; null at first. */
  get position(): JournalPosition | null {
    return this.#position;
  }

  /** How many lines were lost, which may have said that something was run. */
  get damaged(): number {
    return this.#damaged;
  }

  /** Lines were lost, and it is not known yet which requests were sent since: none may be run that could be one of the lost. */
  get doubts(): boolean {
    return this.#doubts;
  }

  /** Every request from before the damage has been seen. */
  async trust(): Promise<void> {
    if (this.#doubts) await this.#write({ type: "doubt", on: false });
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The ends that Rollcall has not acknowledged, the oldest first, without those that wait. */
  receipts(limit: number, waits: (id: string) => boolean = () => false): Receipt[] {
    const found: Receipt[] = [];
    for (const [id, { end, acknowledged }] of this.#entries) {
      if (found.length === limit) break;
      if (end !== null && !acknowledged && !waits(id)) found.push({ id, ...end });
    }
    return found;
  }

  /** Resolves once it is on disk that the request is run; throws when that cannot be written: then it must not be. */
  async begin(id: string): Promise<void> {
    await this.#write({ type: "begin", id, at: this.#date() });
  }

  /**
   * It is reported once it is on disk, so that a process that is killed meanwhile reports the same; and from memory when
   * it cannot be written. Replaces an earlier end, which may have been reported.
   */
  async end(id: string, end: RequestEnd): Promise<void> {
    const line: Line = { type: "end", id, at: this.#date(), ...end };
    try {
      await this.#write(line);
    } catch (error) {
      this.#apply(line);
      throw error;
    }
  }

  /** Rollcall has these receipts. One whose request has ended otherwise meanwhile is still to be reported. */
  async acknowledge(receipts: readonly Pick<Receipt, "id" | "outcome">[]): Promise<void> {
    const ids = receipts.filter(({ id, outcome }) => this.#entries.get(id)?.end?.outcome === outcome).map(({ id }) => id);
    if (ids.length > 0) await this.#write({ type: "acknowledge", ids });
  }

  /** Rollcall delivers the request again, so it may have lost the receipt. On disk before the position that follows it. */
  async reportAgain(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry?.end && entry.acknowledged) await this.end(id, entry.end);
  }

  async moveTo(position: JournalPosition): Promise<void> {
    if (this.#position?.epoch === position.epoch && this.#position.position === position.position) return;
    await this.#write({ type: "position", ...position });
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#file.close();
  }

  #write(line: Line): Promise<void> {
    const run = this.#turn.then(async () => {
      if (this.#torn || this.#lines > this.#entries.size * 2 + mostSurplus) await this.#compact();
      this.#torn = true;
      await this.#file.append(writeLine(0, JSON.stringify(line)));
      this.#torn = false;
      this.#lines += 1;
      this.#apply(line);
    });
    this.#turn = run.catch(() => undefined);
    return run;
  }

  #apply(line: Line | undefined): void {
    switch (line?.type) {
      case "begin":
        this.#entries.set(line.id, { at: line.at, end: null, acknowledged: false });
        break;
      case "end": {
        const { type: _type, id, at, ...end } = line;
        const before = this.#entries.get(id);
        if (before) Object.assign(before, { end, acknowledged: false });
        else this.#entries.set(id, { at, end, acknowledged: false });
        break;
      }
      case "acknowledge":
        for (const id of line.ids) {
          const entry = this.#entries.get(id);
          if (entry) entry.acknowledged = true;
        }
        break;
      case "position":
        this.#position = { epoch: line.epoch, position: line.position };
        break;
      case "doubt":
        this.#doubts = line.on;
        break;
      case undefined:
    }
  }

  /** What is still needed, in a new file. */
  async #compact(): Promise<void> {
    const before = this.#date() - keptMs;
    let surplus = this.#entries.size - mostEntries;
    for (const [id, { at, acknowledged }] of this.#entries)
      if (acknowledged && (at < before || surplus > 0)) {
        this.#entries.delete(id);
        surplus -= 1;
      }
    const lines: Line[] = this.#position === null ? [] : [{ type: "position", ...this.#position }];
    if (this.#doubts) lines.push({ type: "doubt", on: true });
    for (const [id, { at, end, acknowledged }] of this.#entries) {
      lines.push(end === null ? { type: "begin", id, at } : { type: "end", id, at, ...end });
      if (acknowledged) lines.push({ type: "acknowledge", ids: [id] });
    }
    await this.#file.replace(lines.map((line) => writeLine(0, JSON.stringify(line))).join(""));
    this.#lines = lines.length;
    this.#torn = false;
  }
}

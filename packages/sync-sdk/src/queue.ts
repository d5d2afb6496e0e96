import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { SyncError } from "./errors.ts";
import type { SyncEvent } from "./events.ts";
import { compactRecords } from "./compact.ts";
import { takeLock } from "./lock.ts";
import {
  firstSeqOf,
  lineOverhead,
  readSegment,
  segmentName,
  syncDirectory,
  writeDurably,
  writeLine,
  type NewRecord,
  type QueuedRecord,
} from "./segment.ts";

export interface QueueOptions {
  readonly directory: string;
  readonly maxBytes: number;
  emit(event: SyncEvent): void;
}

interface Segment {
  readonly file: string;
  bytes: number;
}

interface Append {
  readonly records: readonly NewRecord[];
  resolve(records: QueuedRecord[]): void;
  reject(error: unknown): void;
}

const largestSegment = 4 * 1024 * 1024;
const positionFile = "position";
const idFile = "id";

/**
 * A queue of calls on disk: append-only files of checked lines, oldest first, and the number of the
 * last record that was delivered. What `append` acknowledged survives a kill and a power cut.
 */
export class DiskQueue {
  readonly #options: QueueOptions;
  readonly #segmentBytes: number;
  readonly #segments: Segment[] = [];
  #release: () => void = () => undefined;
  #id = "";
  #position = 0;
  #nextSeq = 1;
  #waiting = 0;
  /** Undelivered records of the oldest file; null until it is read. */
  #head: QueuedRecord[] | null = null;
  /** The newest file, open for appending. */
  #active: { segment: Segment; handle: fs.FileHandle } | null = null;
  #appends: Append[] = [];
  #bytesAfterCompaction = 0;
  /** That it is full was reported, and nothing was accepted since. */
  #isFullReported = false;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: QueueOptions) {
    this.#options = options;
    this.#segmentBytes = Math.max(1024, Math.min(largestSegment, Math.floor(options.maxBytes / 8)));
  }

  /** Opens or creates the queue; throws when the directory cannot be used or another client holds it. */
  static async open(options: QueueOptions): Promise<DiskQueue> {
    await fs.mkdir(options.directory, { recursive: true, mode: 0o700 });
    const queue = new DiskQueue(options);
    queue.#release = takeLock(path.join(options.directory, "lock"));
    try {
      await queue.#load();
    } catch (error) {
      queue.#release();
      throw error;
    }
    return queue;
  }

  /** Random, and the same as long as the directory exists: a record is named by it and its number. */
  get id(): string {
    return this.#id;
  }

  /** Items that are not delivered yet. */
  get waiting(): number {
    return this.#waiting;
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  /** Resolves once the records are safe on disk. Appends that come together share one write. */
  append(records: readonly NewRecord[]): Promise<QueuedRecord[]> {
    return new Promise((resolve, reject) => {
      this.#appends.push({ records, resolve, reject });
      if (this.#appends.length === 1) void this.#inTurn(() => this.#writeAppends());
    });
  }

  /** The oldest record that is not delivered yet. */
  async next(): Promise<QueuedRecord | null> {
    return await this.#inTurn(async () => await this.#next());
  }

  /** Call it when the record was delivered or dropped. */
  async advance(record: QueuedRecord): Promise<void> {
    await this.#inTurn(async () => {
      // Compaction may have replaced the file that this record came from.
      if (this.#head?.[0]?.seq !== record.seq) return;
      this.#head.shift();
      this.#waiting = Math.max(0, this.#waiting - record.items.length);
      this.#position = record.seq;
      await this.#savePosition();
      await this.#next();
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#active?.handle.close();
      this.#active = null;
      this.#release();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(work);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  async #load(): Promise<void> {
    const { directory } = this.#options;
    this.#id = await readOrCreateId(path.join(directory, idFile));
    const saved = await fs.readFile(path.join(directory, positionFile), "utf8").catch(() => "0");
    this.#position = /^\d{1,15}$/.test(saved.trim()) ? Number(saved) : 0;
    const names = (await fs.readdir(directory)).filter((name) => firstSeqOf(name) !== null).sort();
    let last = this.#position;
    for (const name of names) {
      const file = path.join(directory, name);
      const { records, damaged } = await readSegment(file);
      if (damaged > 0) this.#options.emit({ type: "damaged", file, lines: damaged });
      const open = records.filter((record) => record.seq > this.#position);
      last = Math.max(last, firstSeqOf(name) ?? 0, records[records.length - 1]?.seq ?? 0);
      if (open.length === 0) await fs.rm(file, { force: true });
      else this.#segments.push({ file, bytes: (await fs.stat(file)).size });
      for (const record of open) this.#waiting += record.items.length;
    }
    this.#nextSeq = last + 1;
  }

  /** Also deletes files whose records were all delivered. */
  async #next(): Promise<QueuedRecord | null> {
    for (;;) {
      const [segment] = this.#segments;
      if (segment === undefined) return null;
      this.#head ??= (await readSegment(segment.file)).records.filter((record) => record.seq > this.#position);
      const [record] = this.#head;
      if (record !== undefined) return record;
      if (this.#active?.segment === segment) await this.#closeActive();
      await fs.rm(segment.file, { force: true });
      this.#segments.shift();
      this.#head = null;
    }
  }

  /** Losing it is harmless: delivered records would be sent once more, and change nothing on the server. */
  async #savePosition(): Promise<void> {
    const file = path.join(this.#options.directory, positionFile);
    await fs.writeFile(`${file}.tmp`, String(this.#position), { mode: 0o600 });
    await fs.rename(`${file}.tmp`, file);
  }

  async #closeActive(): Promise<void> {
    const { handle } = this.#active ?? {};
    this.#active = null;
    await handle?.close();
  }

  async #writeAppends(): Promise<void> {
    const appends = this.#appends;
    this.#appends = [];
    const taken: { append: Append; jsons: string[] }[] = [];
    let bytes = 0;
    for (const append of appends) {
      const jsons = append.records.map((record) => JSON.stringify(record));
      const more = jsons.reduce((sum, json) => sum + Buffer.byteLength(json) + lineOverhead, 0);
      if (await this.#hasRoom(bytes + more)) {
        taken.push({ append, jsons });
        bytes += more;
      } else append.reject(this.#full());
    }
    if (taken.length === 0) return;
    this.#isFullReported = false;
    const numbered = taken.map(({ append }) => append.records.map((record) => ({ seq: this.#nextSeq++, ...record })));
    const text = taken
      .map(({ jsons }, i) => jsons.map((json, k) => writeLine(numbered[i]?.[k]?.seq ?? 0, json)).join(""))
      .join("");
    try {
      await this.#write(text, numbered.flat());
      taken.forEach(({ append }, i) => append.resolve(numbered[i] ?? []));
    } catch (error) {
      await this.#closeActive().catch(() => undefined);
      const failure = new SyncError(`the queue cannot write to ${this.#options.directory}: ${(error as Error).message}`, {
        code: "queue.unavailable",
        cause: error,
      });
      for (const { append } of taken) append.reject(failure);
    }
  }

  async #write(text: string, records: readonly QueuedRecord[]): Promise<void> {
    const { handle, segment } = await this.#openActive(records[0]?.seq ?? this.#nextSeq);
    const bytes = Buffer.from(text);
    await handle.appendFile(bytes);
    await handle.datasync();
    segment.bytes += bytes.length;
    if (this.#segments[0] === segment) this.#head?.push(...records);
    for (const record of records) this.#waiting += record.items.length;
  }

  async #openActive(seq: number): Promise<{ segment: Segment; handle: fs.FileHandle }> {
    if (this.#active && this.#active.segment.bytes >= this.#segmentBytes) await this.#closeActive();
    if (this.#active) return this.#active;
    const file = path.join(this.#options.directory, segmentName(seq));
    const handle = await fs.open(file, "a", 0o600);
    const segment = { file, bytes: 0 };
    this.#segments.push(segment);
    const active = { segment, handle };
    this.#active = active;
    await syncDirectory(this.#options.directory);
    return active;
  }

  #full(): SyncError {
    const { maxBytes } = this.#options;
    if (!this.#isFullReported) this.#options.emit({ type: "queueFull", bytes: this.bytes, maxBytes });
    this.#isFullReported = true;
    return new SyncError(`the queue holds ${this.bytes} of ${maxBytes} bytes and accepts nothing more until the server answers`, {
      code: "queue.full",
    });
  }

  async #hasRoom(bytes: number): Promise<boolean> {
    const { maxBytes } = this.#options;
    if (this.bytes + bytes <= maxBytes) return true;
    // Compaction reads and writes the whole queue, so it runs only when enough was added since the last time.
    if (this.bytes - this.#bytesAfterCompaction < maxBytes / 4) return false;
    await this.#compact();
    return this.bytes + bytes <= maxBytes;
  }

  /** The new file is complete and durable before the old ones are deleted: after a kill in between, some items are sent twice. */
  async #compact(): Promise<void> {
    await this.#closeActive();
    const old = this.#segments.splice(0);
    const bytesBefore = old.reduce((sum, segment) => sum + segment.bytes, 0);
    const records: QueuedRecord[] = [];
    for (const { file } of old) records.push(...(await readSegment(file)).records);
    const kept = compactRecords(records.filter((record) => record.seq > this.#position));
    const file = path.join(this.#options.directory, segmentName(this.#nextSeq));
    const text = kept.map((record) => writeLine(this.#nextSeq++, JSON.stringify(record))).join("");
    await writeDurably(file, text);
    for (const segment of old) await fs.rm(segment.file, { force: true });
    this.#segments.push({ file, bytes: Buffer.byteLength(text) });
    this.#head = null;
    this.#waiting = kept.reduce((sum, record) => sum + record.items.length, 0);
    this.#bytesAfterCompaction = this.bytes;
    this.#options.emit({ type: "compacted", bytesBefore, bytesAfter: this.bytes });
  }
}

async function readOrCreateId(file: string): Promise<string> {
  const known = await fs.readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{32}$/.test(known)) return known;
  const id = randomBytes(16).toString("hex");
  await writeDurably(file, id);
  return id;
}

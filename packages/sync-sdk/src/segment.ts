import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { identities, type BatchOperation } from "./operations.ts";

/** One line of the queue: what one call carries. `seq` rises by one from record to record. */
export interface QueuedRecord {
  readonly seq: number;
  readonly operation: BatchOperation;
  readonly source: string;
  /** The boot that the items belong to, also when a later one sends them. */
  readonly boot?: string;
  readonly items: readonly unknown[];
}

const nameShape = /^(\d{16})\.log$/;

export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(16, "0")}.log`;
}

export function firstSeqOf(name: string): number | null {
  const match = nameShape.exec(name);
  return match ? Number(match[1]) : null;
}

function checksum(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 8);
}

export type NewRecord = Omit<QueuedRecord, "seq">;

/** Bytes of a line beside its JSON, at most. */
export const lineOverhead = 32;

/** `checksum seq json`: the checksum distinguishes a whole line from one that a power cut tore. */
export function writeLine(seq: number, json: string): string {
  const text = `${seq} ${json}`;
  return `${checksum(text)} ${text}\n`;
}

/** Null for a line that is not whole. */
export function readLine(line: string): { seq: number; value: unknown } | null {
  const text = line.slice(9);
  const blank = text.indexOf(" ");
  if (line[8] !== " " || blank < 1 || checksum(text) !== line.slice(0, 8)) return null;
  return { seq: Number(text.slice(0, blank)), value: JSON.parse(text.slice(blank + 1)) };
}

function readRecord(line: string): QueuedRecord | null {
  const read = readLine(line);
  if (read === null) return null;
  const record = read.value as NewRecord;
  const known = Object.prototype.hasOwnProperty.call(identities, record.operation);
  return known ? { seq: read.seq, ...record } : null;
}

/** All whole records of a file. A torn last line was never acknowledged and does not count as damage. */
export async function readSegment(file: string): Promise<{ records: QueuedRecord[]; damaged: number }> {
  const lines = (await fs.readFile(file, "utf8")).split("\n");
  lines.pop();
  const records = lines.map(readRecord);
  const whole = records.filter((record): record is QueuedRecord => record !== null);
  return { records: whole, damaged: records.length - whole.length };
}

/** Makes the names in a directory durable, where the system can. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await fs.open(directory, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows has no such call.
    if (code !== "EPERM" && code !== "EISDIR" && code !== "EINVAL" && code !== "EACCES") throw error;
  }
}

/** Writes a whole file durably under its final name. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const unfinished = `${file}.tmp`;
  const handle = await fs.open(unfinished, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.rename(unfinished, file);
  await syncDirectory(path.dirname(file));
}

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock, Ids, Log } from "#core/ports/index.ts";

/** One picture as it is kept. Instants in milliseconds UTC. */
export interface Kept {
  readonly type: string;
  readonly etag: string;
  readonly fetchedAt: number;
  readonly freshUntil: number;
  /** What the origin names its version by. */
  readonly origin: { readonly etag: string | null; readonly lastModified: string | null };
  readonly bytes: Uint8Array;
}

export interface DiskOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Bytes of all files together. */
  readonly mostBytes: number;
}

const nameOf = (key: string) => `${key}.picture`;
const isPicture = (name: string) => /^[0-9a-f]{64}\.picture$/.test(name);
/** Files that a killed process was writing are this old when they go. */
const abandonedMs = 60 * 60_000;
const longestHead = 4096;

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64url");

function headOf({ bytes, ...rest }: Kept): string {
  return JSON.stringify({ v: 1, size: bytes.length, hash: hashOf(bytes), ...rest });
}

/** The picture of a file, or null when anything about it is not as it was written. */
export function readKept(file: Buffer): Kept | null {
  const end = file.subarray(0, longestHead).indexOf(10);
  if (end < 0) return null;
  try {
    const { v, size, hash, ...rest } = JSON.parse(file.toString("utf8", 0, end)) as Kept & Record<string, unknown>;
    const bytes = file.subarray(end + 1);
    return v === 1 && size === bytes.length && hash === hashOf(bytes) ? { ...rest, bytes } : null;
  } catch {
    return null;
  }
}

/**
 * Pictures in files of their own, each written beside and renamed, so that a file is whole or not
 * there. The ones unused for longest go first. A folder that cannot be written is said once in the log
 * and costs fetches, nothing else. Keys are 64 hexadecimal digits.
 */
export function createDisk({ folder, clock, ids, log, mostBytes }: DiskOptions) {
  /** Of the files, as far as this process knows; null before it looked. */
  let known: number | null = null;
  let trimming: Promise<void> | null = null;
  let complained = false;
  let prepared = false;

  const fileOf = (key: string) => path.join(folder, nameOf(key));

  function complain(error: unknown): void {
    if (complained) return;
    complained = true;
    log.warn({ err: error }, `pictures cannot be kept in ${folder}: ${(error as Error).message}`);
  }

  async function listed(): Promise<{ file: string; size: number; usedAt: number }[]> {
    const found: { file: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(folder).catch(() => [] as string[])) {
      const file = path.join(folder, name);
      const entry = await stat(file).catch(() => null);
      if (entry === null || !entry.isFile()) continue;
      if (isPicture(name)) found.push({ file, size: entry.size, usedAt: entry.mtimeMs });
      else if (name.endsWith(".part") && clock.now() - entry.mtimeMs > abandonedMs) await rm(file, { force: true });
    }
    return found;
  }

  /** Looks at what is really there, other processes' files too, and makes room. */
  async function trim(): Promise<void> {
    const files = (await listed()).toSorted((a, b) => a.usedAt - b.usedAt);
    let total = files.reduce((sum, { size }) => sum + size, 0);
    // Down to nine tenths, so that not every picture beyond the limit looks through the folder.
    const goal = total > mostBytes ? mostBytes * 0.9 : mostBytes;
    for (const { file, size } of files) {
      if (total <= goal) break;
      await rm(file, { force: true });
      total -= size;
    }
    known = total;
  }

  async function makeRoom(): Promise<void> {
    trimming ??= trim().finally(() => (trimming = null));
    await trimming;
  }

  async function drop(key: string): Promise<void> {
    await rm(fileOf(key), { force: true }).catch(complain);
  }

  return {
    async bytes(): Promise<number> {
      if (known === null) await makeRoom();
      return known ?? 0;
    },

    async get(key: string): Promise<Kept | null> {
      const file = await readFile(fileOf(key)).catch(() => null);
      if (file === null) return null;
      const kept = readKept(file);
      if (kept === null) {
        log.warn({ file: fileOf(key) }, "a kept picture was damaged and is dropped");
        await drop(key);
        return null;
      }
      const now = clock.now() / 1000;
      await utimes(fileOf(key), now, now).catch(() => undefined);
      return kept;
    },

    async put(key: string, kept: Kept): Promise<void> {
      const part = path.join(folder, `${ids.next()}.part`);
      const content = Buffer.concat([Buffer.from(`${headOf(kept)}\n`), kept.bytes]);
      try {
        if (!prepared) {
          await mkdir(folder, { recursive: true });
          await makeRoom();
          prepared = true;
        }
        await writeFile(part, content);
        const now = clock.now() / 1000;
        await utimes(part, now, now);
        await rename(part, fileOf(key));
        complained = false;
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        complain(error);
        // The folder may have been deleted: the next picture makes it anew.
        prepared = false;
        return;
      }
      known = (known ?? 0) + content.length;
      if (known > mostBytes) await makeRoom();
    },

    drop,

    /** Writes and removes a file; throws why it cannot. */
    async probe(): Promise<void> {
      const file = path.join(folder, `${ids.next()}.part`);
      await mkdir(folder, { recursive: true });
      await writeFile(file, "", { flag: "wx" });
      await rm(file, { force: true });
    },
  };
}

export type Disk = ReturnType<typeof createDisk>;

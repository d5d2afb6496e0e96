import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock, Ids, Log } from "#core/ports/index.ts";

/** One picture as it is cached. Instants in milliseconds UTC. */
export interface CachedPicture {
  readonly type: string;
  readonly etag: string;
  readonly fetchedAt: number;
  readonly freshUntil: number;
  /** The validators of the origin. */
  readonly origin: { readonly etag: string | null; readonly lastModified: string | null };
  readonly bytes: Uint8Array;
}

export interface DiskOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Most bytes of all files together. */
  readonly mostBytes: number;
}

const nameOf = (key: string) => `${key}.picture`;
const isPicture = (name: string) => /^[0-9a-f]{64}\.picture$/.test(name);
/** Age at which unfinished files of killed processes are removed. */
const abandonedMs = 60 * 60_000;
const longestHead = 4096;

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64url");

function headOf({ bytes, ...rest }: CachedPicture): string {
  return JSON.stringify({ v: 1, size: bytes.length, hash: hashOf(bytes), ...rest });
}

/** The picture of a file; null when the file is damaged. */
export function readCached(file: Buffer): CachedPicture | null {
  const end = file.subarray(0, longestHead).indexOf(10);
  if (end < 0) return null;
  try {
    const { v, size, hash, ...rest } = JSON.parse(file.toString("utf8", 0, end)) as CachedPicture & Record<string, unknown>;
    const bytes = file.subarray(end + 1);
    return v === 1 && size === bytes.length && hash === hashOf(bytes) ? { ...rest, bytes } : null;
  } catch {
    return null;
  }
}

/**
 * Pictures on disk, one file each. A file is written beside and renamed, so that it is either whole or
 * missing. The least recently used ones are removed first. A folder that cannot be written is logged
 * once and only costs fetches. Keys are 64 hexadecimal digits.
 */
export class PictureDisk {
  readonly #options: DiskOptions;
  /** Bytes of the files, as far as this process knows; null before it measured them. */
  #known: number | null = null;
  #trimming: Promise<void> | null = null;
  #failureLogged = false;
  #prepared = false;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  async bytes(): Promise<number> {
    if (this.#known === null) await this.#makeRoom();
    return this.#known ?? 0;
  }

  async get(key: string): Promise<CachedPicture | null> {
    const { clock, log } = this.#options;
    const name = this.#fileOf(key);
    const file = await readFile(name).catch(() => null);
    if (file === null) return null;
    const picture = readCached(file);
    if (picture === null) {
      log.warn({ file: name }, "a cached picture was damaged and is removed");
      await this.drop(key);
      return null;
    }
    const now = clock.now() / 1000;
    await utimes(name, now, now).catch(() => undefined);
    return picture;
  }

  async put(key: string, picture: CachedPicture): Promise<void> {
    const { folder, clock, ids, mostBytes } = this.#options;
    const part = path.join(folder, `${ids.next()}.part`);
    const content = Buffer.concat([Buffer.from(`${headOf(picture)}\n`), picture.bytes]);
    try {
      if (!this.#prepared) {
        await mkdir(folder, { recursive: true });
        await this.#makeRoom();
        this.#prepared = true;
      }
      await writeFile(part, content);
      const now = clock.now() / 1000;
      await utimes(part, now, now);
      await rename(part, this.#fileOf(key));
      this.#failureLogged = false;
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      this.#logFailure(error);
      // The folder may have been deleted: the next picture creates it again.
      this.#prepared = false;
      return;
    }
    this.#known = (this.#known ?? 0) + content.length;
    if (this.#known > mostBytes) await this.#makeRoom();
  }

  async drop(key: string): Promise<void> {
    await rm(this.#fileOf(key), { force: true }).catch((error: unknown) => this.#logFailure(error));
  }

  /** Writes and removes a file; throws when it cannot. */
  async probe(): Promise<void> {
    const { folder, ids } = this.#options;
    const file = path.join(folder, `${ids.next()}.part`);
    await mkdir(folder, { recursive: true });
    await writeFile(file, "", { flag: "wx" });
    await rm(file, { force: true });
  }

  #fileOf(key: string): string {
    return path.join(this.#options.folder, nameOf(key));
  }

  #logFailure(error: unknown): void {
    if (this.#failureLogged) return;
    this.#failureLogged = true;
    const { folder, log } = this.#options;
    log.warn({ err: error }, `pictures cannot be stored in ${folder}: ${(error as Error).message}`);
  }

  async #makeRoom(): Promise<void> {
    this.#trimming ??= this.#trim().finally(() => (this.#trimming = null));
    await this.#trimming;
  }

  /** Measures the files, also those of other processes, and removes some when they are too many. */
  async #trim(): Promise<void> {
    const { mostBytes } = this.#options;
    const files = (await this.#list()).toSorted((a, b) => a.usedAt - b.usedAt);
    let total = files.reduce((sum, { size }) => sum + size, 0);
    // Down to nine tenths, so that not every picture beyond the limit lists the folder again.
    const goal = total > mostBytes ? mostBytes * 0.9 : mostBytes;
    for (const { file, size } of files) {
      if (total <= goal) break;
      await rm(file, { force: true });
      total -= size;
    }
    this.#known = total;
  }

  async #list(): Promise<{ file: string; size: number; usedAt: number }[]> {
    const { folder, clock } = this.#options;
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
}

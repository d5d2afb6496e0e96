import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, stat, unlink } from "node:fs/promises";
import path from "node:path";
import type { ByteRange } from "#core/contract/operation.ts";
import {
  BadStorageKey,
  type Clock,
  type Storage,
  type StorageEntry,
  type StoredObject,
  storageFailure,
  StorageUnavailable,
} from "#core/ports/index.ts";
import { createIncoming, type Incoming } from "./incoming.ts";
import { checkKey, prefixOf } from "./keys.ts";
import { probeStorage } from "./probe.ts";

export interface FilesystemOptions {
  /** Must exist. */
  readonly path: string;
  readonly prefix: string | null;
  readonly clock: Clock;
  /** Unique per process. */
  readonly life: string;
}

const [folderMode, fileMode] = [0o700, 0o600];
const missing = new Set(["ENOENT", "ENOTDIR"]);
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

function unavailable(error: unknown): Error {
  if (error instanceof StorageUnavailable || error instanceof BadStorageKey) return error;
  return storageFailure(error);
}

/** Null if the file does not exist. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (missing.has(codeOf(error))) return null;
    throw unavailable(error);
  }
}

const exists = async (folder: string) => (await orNull(async () => await stat(folder))) !== null;

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its rename is durable with the file.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Returns the number of bytes; errors of the source are rethrown unchanged. */
async function writeStream(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) {
    await writeAll(handle, chunk).catch((error: unknown) => {
      throw unavailable(error);
    });
    size += chunk.length;
  }
  return size;
}

/** Folder of writes in progress; no key begins with a dot. */
const incomingFolder = ".incoming";

interface Named {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

/** Ordered like whole keys: a folder is sorted with its trailing slash. */
async function namesIn(folder: string): Promise<Named[]> {
  const found = (await orNull(async () => await readdir(folder, { withFileTypes: true }))) ?? [];
  return found
    .map((one) => ({
      isFolder: one.isDirectory(),
      isFile: one.isFile(),
      name: one.isDirectory() ? `${one.name}/` : one.name,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Stores objects as files of the same name below a folder, readable only by this user. */
export class FilesystemStorage implements Storage {
  readonly kind = "filesystem";
  /** The configured folder. Never created: an unmounted disk is not an empty one. */
  readonly #top: string;
  readonly #root: string;
  readonly #incoming: Incoming;
  readonly #life: string;
  #probes = 0;

  constructor({ path: top, prefix, clock, life }: FilesystemOptions) {
    this.#top = top;
    this.#root = path.resolve(top, prefixOf(prefix));
    this.#incoming = createIncoming(path.join(this.#root, incomingFolder), life, clock);
    this.#life = life;
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<{ readonly size: number }> {
    const { handle, temporary, file } = await this.#begin(key);
    try {
      const size = await writeStream(handle, bytes);
      await this.#finish(handle, temporary, file);
      return { size };
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async open(
    key: string,
    range?: ByteRange | null,
  ): Promise<{ readonly size: number; readonly bytes: AsyncIterable<Uint8Array> } | null> {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
    const handle = await orNull(async () => await open(await this.#file(key), flags));
    if (handle === null) return null;
    const { size } = await handle.stat();
    const [start, end] = [range?.from ?? 0, Math.min(range?.to ?? size - 1, size - 1)];
    if (start > end) {
      await handle.close();
      return { size, bytes: nothing() };
    }
    return { size, bytes: read(handle.createReadStream({ start, end })) };
  }

  async stat(key: string): Promise<StoredObject | null> {
    const found = await orNull(async () => await stat(await this.#file(key)));
    return found?.isFile() ? { key, size: found.size, modifiedAt: Math.trunc(found.mtimeMs) } : null;
  }

  async remove(key: string): Promise<boolean> {
    const removed = await orNull(async () => {
      const file = await this.#file(key);
      await unlink(file);
      await syncFolder(path.dirname(file));
      return true;
    });
    return removed ?? false;
  }

  async *entries(folder: string, { after = "" }: { readonly after?: string } = {}): AsyncIterable<StorageEntry> {
    const below = path.join(this.#root, folder);
    for (const { name, isFolder, isFile } of await namesIn(below)) {
      if (name <= after || (folder === "" && name === `${incomingFolder}/`)) continue;
      const found = isFile ? await orNull(async () => await lstat(path.join(below, name))) : null;
      if (isFile && found === null) continue;
      const object = found && { key: folder + name, size: found.size, modifiedAt: Math.trunc(found.mtimeMs) };
      yield { name, isFolder, object };
    }
  }

  async probe(): Promise<void> {
    this.#probes += 1;
    await probeStorage(this, `probe/${this.#life}-${this.#probes}`);
  }

  async clean(): Promise<number> {
    return await this.#incoming.clean();
  }

  async close(): Promise<void> {
    // Nothing stays open between calls.
  }

  /** The file of a key; its folder must be below the root after links are resolved. */
  async #file(key: string): Promise<string> {
    const file = path.join(this.#root, ...checkKey(key).split("/"));
    await this.#checkBelow(path.dirname(file));
    return file;
  }

  async #checkBelow(folder: string): Promise<void> {
    const [root, found] = [await realpath(this.#root), await realpath(folder)];
    if (found !== root && !found.startsWith(root + path.sep)) throw new BadStorageKey(`${folder} is outside of ${this.#root}`);
  }

  /** Creates the folders of a file durably. */
  async #makeFolders(folder: string): Promise<void> {
    await stat(this.#top);
    const absent: string[] = [];
    for (let at = folder; at !== path.dirname(at) && !(await exists(at)); at = path.dirname(at)) absent.unshift(at);
    for (const one of absent) {
      if (one.length > this.#root.length) await this.#checkBelow(path.dirname(one));
      await mkdir(one, { mode: folderMode }).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
      await syncFolder(path.dirname(one));
    }
  }

  async #begin(key: string): Promise<{ handle: FileHandle; temporary: string; file: string }> {
    try {
      await this.#makeFolders(path.dirname(path.join(this.#root, ...checkKey(key).split("/"))));
      await this.#makeFolders(this.#incoming.folder);
      const temporary = this.#incoming.next();
      return { file: await this.#file(key), temporary, handle: await open(temporary, "wx", fileMode) };
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #finish(handle: FileHandle, temporary: string, file: string): Promise<void> {
    try {
      await handle.sync();
      await handle.close();
      await rename(temporary, file);
      await syncFolder(path.dirname(file));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // An empty object, or a range beyond its end.
}

async function* read(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw unavailable(error);
  }
}

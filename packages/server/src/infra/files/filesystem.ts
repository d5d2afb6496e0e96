import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { BadStorageKey, type Clock, type Storage, type StoredObject, StorageUnavailable } from "#core/ports/index.ts";
import { createIncoming } from "./incoming.ts";
import { checkKey, prefixOf } from "./keys.ts";
import { probeStorage } from "./probe.ts";

export interface FilesystemOptions {
  /** Must exist. */
  readonly path: string;
  readonly prefix: string | null;
  readonly clock: Clock;
  /** Unlike that of any other process. */
  readonly life: string;
}

const [folderMode, fileMode] = [0o700, 0o600];
const missing = new Set(["ENOENT", "ENOTDIR"]);
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

function unavailable(error: unknown): Error {
  if (error instanceof StorageUnavailable || error instanceof BadStorageKey) return error;
  return new StorageUnavailable((error as Error).message, { cause: error });
}

/** Null for what is not there. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (missing.has(codeOf(error))) return null;
    throw unavailable(error);
  }
}

const isThere = async (folder: string) => (await orNull(async () => await stat(folder))) !== null;

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; its rename is durable with the file.
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

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** In the order of whole keys: what stands below a folder sorts with its slash. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const found = (await orNull(async () => await readdir(folder, { withFileTypes: true }))) ?? [];
  return found
    .filter((one) => !one.name.startsWith(".") && (one.isDirectory() || one.isFile()))
    .map((one) => ({ isFolder: one.isDirectory(), name: one.isDirectory() ? `${one.name}/` : one.name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Objects as files of the same name below a folder, readable for this user alone. */
export function createFilesystemStorage({ path: top, prefix, clock, life }: FilesystemOptions): Storage {
  const root = path.resolve(top, prefixOf(prefix));
  const incoming = createIncoming(path.join(root, ".incoming"), life, clock);
  let probes = 0;

  /** The file of a key; its folder, once links are followed, must lie below the root. */
  async function fileOf(key: string): Promise<string> {
    const file = path.join(root, ...checkKey(key).split("/"));
    await checkBelow(path.dirname(file));
    return file;
  }

  async function checkBelow(folder: string): Promise<void> {
    const [below, found] = [await realpath(root), await realpath(folder)];
    if (found !== below && !found.startsWith(below + path.sep)) throw new BadStorageKey(`${folder} leads out of ${root}`);
  }

  /** Folders on the way to a file, durable. The top is never made: an unmounted disk is not an empty one. */
  async function makeFolders(folder: string): Promise<void> {
    await stat(top);
    const absent: string[] = [];
    for (let at = folder; at !== path.dirname(at) && !(await isThere(at)); at = path.dirname(at)) absent.unshift(at);
    for (const one of absent) {
      if (one.length > root.length) await checkBelow(path.dirname(one));
      await mkdir(one, { mode: folderMode }).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
      await syncFolder(path.dirname(one));
    }
  }

  async function take(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0;
    for await (const part of bytes) {
      await writeAll(handle, part).catch((error: unknown) => {
        throw unavailable(error);
      });
      size += part.length;
    }
    return size;
  }

  async function begin(key: string): Promise<{ handle: FileHandle; temporary: string; file: string }> {
    try {
      await makeFolders(path.dirname(path.join(root, ...checkKey(key).split("/"))));
      await makeFolders(incoming.folder);
      const temporary = incoming.next();
      return { file: await fileOf(key), temporary, handle: await open(temporary, "wx", fileMode) };
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function finish(handle: FileHandle, temporary: string, file: string): Promise<void> {
    try {
      await handle.sync();
      await handle.close();
      await rename(temporary, file);
      await syncFolder(path.dirname(file));
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function statOf(key: string): Promise<StoredObject | null> {
    const found = await orNull(async () => await stat(await fileOf(key)));
    return found?.isFile() ? { key, size: found.size, modifiedAt: Math.trunc(found.mtimeMs) } : null;
  }

  async function* walk(folder: string, base: string, prefixed: string, after: string): AsyncIterable<StoredObject> {
    for (const { name, isFolder } of await entriesOf(folder)) {
      const key = base + name;
      if (!isFolder) {
        const object = key > after && key.startsWith(prefixed) ? await statOf(key) : null;
        if (object) yield object;
      } else if ((key.startsWith(prefixed) || prefixed.startsWith(key)) && (key > after || after.startsWith(key))) {
        yield* walk(path.join(folder, name), key, prefixed, after);
      }
    }
  }

  const storage: Storage = {
    kind: "filesystem",
    async put(key, bytes) {
      const { handle, temporary, file } = await begin(key);
      try {
        const size = await take(handle, bytes);
        await finish(handle, temporary, file);
        return { size };
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async open(key, range) {
      const handle = await orNull(async () => await open(await fileOf(key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)));
      if (handle === null) return null;
      const { size } = await handle.stat();
      const [start, end] = [range?.from ?? 0, Math.min(range?.to ?? size - 1, size - 1)];
      if (start > end) {
        await handle.close();
        return { size, bytes: nothing() };
      }
      return { size, bytes: read(handle.createReadStream({ start, end })) };
    },
    stat: async (key) => await statOf(key),
    async remove(key) {
      const gone = await orNull(async () => {
        const file = await fileOf(key);
        await unlink(file);
        await syncFolder(path.dirname(file));
        return true;
      });
      return gone ?? false;
    },
    list: (prefixed, options = {}) => walk(root, "", prefixed, options.after ?? ""),
    probe: async () => await probeStorage(storage, `probe/${life}-${(probes += 1)}`),
    clean: async () => await incoming.clean(),
    close: async () => undefined,
  };
  return storage;
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

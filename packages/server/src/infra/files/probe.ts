import { type Storage, StorageUnavailable } from "#core/ports/index.ts";

const text = "Rollcall was here to see whether it can write, read and delete.";

async function textOf(found: Awaited<ReturnType<Storage["open"]>>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of found?.bytes ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Writes, reads and deletes one small object; the error names the step that failed. */
export async function probeStorage(storage: Pick<Storage, "put" | "open" | "remove">, key: string): Promise<void> {
  const step = async (name: string, work: () => Promise<boolean>) => {
    try {
      if (await work()) return;
    } catch (error) {
      throw new StorageUnavailable(`cannot ${name}: ${(error as Error).message}`, { cause: error });
    }
    throw new StorageUnavailable(`cannot ${name}: what was written is not there`);
  };
  await step("write", async () => (await storage.put(key, once(Buffer.from(text)), { type: "text/plain" })).size === text.length);
  await step("read", async () => (await textOf(await storage.open(key))) === text);
  await step("delete", async () => await storage.remove(key));
}

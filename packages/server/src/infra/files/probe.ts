import { type Storage, storageFailure, StorageUnavailable } from "#core/ports/index.ts";

const text = "Rollcall test object: checks writing, reading and deleting.";

async function textOf(found: Awaited<ReturnType<Storage["open"]>>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of found?.bytes ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
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
      throw storageFailure(error, `cannot ${name}: `);
    }
    throw new StorageUnavailable(`cannot ${name}: the test object is missing or different`);
  };
  await step("write", async () => (await storage.put(key, once(Buffer.from(text)), { type: "text/plain" })).size === text.length);
  await step("read", async () => (await textOf(await storage.open(key))) === text);
  await step("delete", async () => await storage.remove(key));
}

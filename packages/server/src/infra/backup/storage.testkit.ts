import type { OwnObjects } from "#core/own-objects.ts";
import type { Storage, StoredObject } from "#core/ports/index.ts";

/** A storage in memory, for tests that read and write files. */
export function memoryStorage(given: Readonly<Record<string, string>>): Storage & { contents(): Record<string, string> } {
  const objects = new Map(Object.entries(given).map(([key, text]) => [key, Buffer.from(text)]));
  const described = (key: string, bytes: Buffer) => ({ key, size: bytes.byteLength, modifiedAt: 1_700_000_000_000 });
  const storage = {
    kind: "filesystem" as const,
    async put(key: string, bytes: AsyncIterable<Uint8Array>) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      objects.set(key, Buffer.concat(chunks));
      return { size: objects.get(key)!.byteLength };
    },
    async open(key: string) {
      const bytes = objects.get(key);
      if (!bytes) return null;
      return {
        size: bytes.byteLength,
        bytes: (async function* () {
          for (let at = 0; at < bytes.byteLength; at += 64_000) yield bytes.subarray(at, at + 64_000);
        })(),
      };
    },
    async stat(key: string) {
      const bytes = objects.get(key);
      return bytes ? described(key, bytes) : null;
    },
    remove: async (key: string) => objects.delete(key),
    async *entries(folder: string, { after = "" }: { readonly after?: string } = {}) {
      const below = [...objects.keys()].filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length));
      for (const name of [...new Set(below.map((rest) => rest.replace(/\/.*/s, "/")))].toSorted()) {
        const bytes = objects.get(folder + name);
        if (name > after) yield { name, isFolder: bytes === undefined, object: bytes ? described(folder + name, bytes) : null };
      }
    },
    probe: async () => undefined,
    close: async () => undefined,
    clean: async () => 0,
    contents: () => Object.fromEntries([...objects].map(([key, bytes]) => [key, bytes.toString()])),
  };
  return storage;
}

/** Treats every object as own, whatever its key: for tests of archives with unusual keys. */
export const everyObject: OwnObjects = {
  owns: () => true,
  async *list(storage) {
    async function* below(folder: string): AsyncIterable<StoredObject> {
      for await (const { name, object } of storage.entries(folder)) {
        if (object) yield object;
        else yield* below(folder + name);
      }
    }
    yield* below("");
  },
  async *probes() {
    // A storage in memory has no probes.
  },
};

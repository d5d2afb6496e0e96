import type { Storage } from "#core/ports/index.ts";

/** A storage in memory: for tests of what reads and writes files. */
export function memoryStorage(given: Readonly<Record<string, string>>): Storage & { contents(): Record<string, string> } {
  const objects = new Map(Object.entries(given).map(([key, text]) => [key, Buffer.from(text)]));
  const described = (key: string, bytes: Buffer) => ({ key, size: bytes.byteLength, modifiedAt: 1_700_000_000_000 });
  const storage = {
    kind: "filesystem" as const,
    async put(key: string, bytes: AsyncIterable<Uint8Array>) {
      const parts: Uint8Array[] = [];
      for await (const part of bytes) parts.push(part);
      objects.set(key, Buffer.concat(parts));
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
    async *list(prefix: string, options: { readonly after?: string } = {}) {
      const { after } = options;
      for (const key of [...objects.keys()].toSorted())
        if (key.startsWith(prefix) && (after === undefined || key > after)) yield described(key, objects.get(key)!);
    },
    probe: async () => undefined,
    close: async () => undefined,
    clean: async () => 0,
    contents: () => Object.fromEntries([...objects].map(([key, bytes]) => [key, bytes.toString()])),
  };
  return storage;
}

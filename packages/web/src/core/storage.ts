/** Named values that survive the page, stored as JSON. Never throws: a frame on another site may have no storage. */
export interface KeptValues {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
  remove(name: string): void;
}

interface ListedValues extends KeptValues {
  names(): readonly string[];
}

const PREFIX = "rollcall.";

export function storedValues(find: () => Storage): ListedValues {
  const memory = new Map<string, string>();
  let storage: Storage | null = null;
  try {
    storage = find();
  } catch {
    // Blocked by the browser: values are then kept as long as the page.
  }
  return {
    read(name) {
      const text = attempt(() => storage?.getItem(PREFIX + name)) ?? memory.get(name);
      return text === undefined || text === null ? undefined : attempt(() => JSON.parse(text) as unknown);
    },
    write(name, value) {
      const text = JSON.stringify(value);
      memory.set(name, text);
      attempt(() => storage?.setItem(PREFIX + name, text));
    },
    remove(name) {
      memory.delete(name);
      attempt(() => storage?.removeItem(PREFIX + name));
    },
    names() {
      const keys = attempt(() => Object.keys(storage ?? {})) ?? [];
      const stored = keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
      return [...new Set([...stored, ...memory.keys()])];
    },
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Kept on this device, for all tabs. */
export const device: ListedValues = storedValues(() => localStorage);

/** Kept for this tab. */
export const tab: KeptValues = storedValues(() => sessionStorage);

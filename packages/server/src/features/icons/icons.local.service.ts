import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Clock, Log } from "#core/ports/index.ts";
import type { IconSetInfo } from "./icons.contract.ts";
import { type IconAnswer, type IconSet, isWord, parseSet, pick, ranked, shownNames } from "./icons.policy.ts";

/** Where icons come from; `null` for a set that there is not. */
export interface IconSource {
  icons(prefix: string, names: readonly string[]): Promise<{ answer: IconAnswer; lasting: boolean } | null>;
  sets(): Promise<IconSetInfo[]>;
  /** `<set>:<icon>`, best first. */
  search(query: string, prefix: string | null, limit: number): Promise<{ icons: string[]; total: number }>;
}

const looksEveryMs = 2000;
const mostLoaded = 30;
const largestFile = 64 * 1024 * 1024;

interface Loaded {
  readonly set: IconSet | null;
  readonly trouble: string | null;
  readonly version: string;
  lookedAt: number;
}

export interface LocalDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The sets of a folder, one `<set>.json` each: read when first asked for, and again when they change. */
export function createLocalSets({ folder, clock, log }: LocalDeps) {
  /** The one used last stands last. */
  const loaded = new Map<string, Loaded>();
  const underWay = new Map<string, Promise<Loaded | null>>();

  async function read(prefix: string, file: string, version: string, modifiedAt: number): Promise<Loaded> {
    const lookedAt = clock.monotonic();
    try {
      const set = parseSet(JSON.parse(await readFile(file, "utf8")), prefix, modifiedAt / 1000);
      return { set, trouble: null, version, lookedAt };
    } catch (error) {
      const trouble = (error as Error).message;
      log.warn({ file }, `the icon set ${file} cannot be used: ${trouble}`);
      return { set: null, trouble, version, lookedAt };
    }
  }

  async function look(prefix: string): Promise<Loaded | null> {
    const file = path.join(folder, `${prefix}.json`);
    const entry = await stat(file).catch(() => null);
    if (entry === null || !entry.isFile()) {
      loaded.delete(prefix);
      return null;
    }
    const version = `${entry.mtimeMs} ${entry.size} ${entry.ino}`;
    const known = loaded.get(prefix);
    if (known?.version === version) {
      known.lookedAt = clock.monotonic();
      return known;
    }
    const tooLarge = entry.size > largestFile;
    if (tooLarge) log.warn({ file }, `the icon set ${file} cannot be used: it is larger than ${largestFile} bytes`);
    const fresh = tooLarge
      ? { set: null, trouble: `it is larger than ${largestFile} bytes`, version, lookedAt: clock.monotonic() }
      : await read(prefix, file, version, entry.mtimeMs);
    loaded.delete(prefix);
    loaded.set(prefix, fresh);
    const [oldest] = loaded.keys();
    if (loaded.size > mostLoaded && oldest !== undefined) loaded.delete(oldest);
    return fresh;
  }

  async function load(prefix: string): Promise<Loaded | null> {
    if (!isWord(prefix)) return null;
    const known = loaded.get(prefix);
    if (known && clock.monotonic() - known.lookedAt < looksEveryMs) return known;
    let looking = underWay.get(prefix);
    if (!looking) {
      looking = look(prefix).finally(() => underWay.delete(prefix));
      underWay.set(prefix, looking);
    }
    return await looking;
  }

  async function prefixes(): Promise<string[]> {
    const files = await readdir(folder).catch(() => [] as string[]);
    return files
      .filter((file) => file.endsWith(".json") && isWord(file.slice(0, -5)))
      .map((file) => file.slice(0, -5))
      .toSorted();
  }

  async function all(): Promise<IconSet[]> {
    const sets: IconSet[] = [];
    for (const prefix of await prefixes()) {
      const set = (await load(prefix))?.set;
      if (set) sets.push(set);
    }
    return sets;
  }

  const source: IconSource = {
    async icons(prefix, names) {
      const set = (await load(prefix))?.set;
      return set ? { answer: pick(set, names), lasting: true } : null;
    },
    async sets() {
      return (await all()).map((set) => ({ prefix: set.prefix, name: set.name, total: shownNames(set).length }));
    },
    async search(query, prefix, limit) {
      const sets = prefix === null ? await all() : [(await load(prefix))?.set ?? null];
      const names = sets.flatMap((set) => (set ? shownNames(set).map((name) => `${set.prefix}:${name}`) : []));
      const found = ranked(names, query);
      return { icons: found.slice(0, limit), total: found.length };
    },
  };

  return {
    ...source,
    prefixes,
    set: async (prefix: string): Promise<IconSet | null> => (await load(prefix))?.set ?? null,

    /** Files that are no sets, and why; throws when there is no folder. */
    async troubles(): Promise<{ file: string; trouble: string }[]> {
      await readdir(folder);
      const found: { file: string; trouble: string }[] = [];
      for (const prefix of await prefixes()) {
        const trouble = (await load(prefix))?.trouble ?? null;
        if (trouble !== null) found.push({ file: path.join(folder, `${prefix}.json`), trouble });
      }
      return found;
    },
  };
}

export type LocalSets = ReturnType<typeof createLocalSets>;

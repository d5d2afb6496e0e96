import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Ids, Log } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import { type Alias, type Icon, type IconSet, isWord, parseSet } from "./icons.policy.ts";

const mostSets = 60;
const mostIconsOfSet = 3000;

/** What was fetched of a set so far. */
export interface StoredSet extends IconSet {
  readonly icons: Map<string, Icon>;
  readonly aliases: Map<string, Alias>;
  /** When the drawing of each name was fetched. Milliseconds UTC. */
  readonly fetched: Map<string, number>;
}

export interface StoreDeps {
  /** One file for each set. */
  readonly folder: string;
  readonly ids: Ids;
  readonly log: Log;
}

/** Stores fetched icons on disk, and the sets that were loaded last in memory. */
export class IconStore {
  readonly #deps: StoreDeps;
  /** Null for a set without a file. */
  readonly #sets = new BoundedMap<string, StoredSet | null>(mostSets);

  constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  /** Null when nothing of the set is stored. A damaged file is removed. */
  async read(prefix: string): Promise<StoredSet | null> {
    const cached = this.#sets.get(prefix);
    if (cached !== undefined) return cached;
    const file = this.#fileOf(prefix);
    let stored: StoredSet | null = null;
    try {
      const json = JSON.parse(await readFile(file, "utf8")) as { fetched?: Record<string, number> };
      const set = parseSet(json, prefix, 0);
      stored = {
        ...set,
        icons: new Map(set.icons),
        aliases: new Map(set.aliases),
        fetched: new Map(Object.entries(json.fetched ?? {})),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") await rm(file, { force: true }).catch(() => undefined);
    }
    this.#sets.set(prefix, stored);
    return stored;
  }

  async readAll(): Promise<StoredSet[]> {
    const files = await readdir(this.#deps.folder).catch(() => [] as string[]);
    const prefixes = files.filter((file) => file.endsWith(".json") && isWord(file.slice(0, -5))).map((file) => file.slice(0, -5));
    const found: StoredSet[] = [];
    for (const prefix of prefixes) {
      const set = await this.read(prefix);
      if (set) found.push(set);
    }
    return found;
  }

  /** Never throws: a folder that cannot be written is logged, and the set stays in memory. */
  async write(set: StoredSet): Promise<void> {
    const { folder, ids, log } = this.#deps;
    this.#sets.set(set.prefix, set);
    for (const name of set.icons.keys()) {
      if (set.icons.size <= mostIconsOfSet) break;
      set.icons.delete(name);
    }
    const { prefix, width, height, lastModified } = set;
    const [icons, aliases, fetched] = [set.icons, set.aliases, set.fetched].map((map) => Object.fromEntries<unknown>(map));
    const part = path.join(folder, `${ids.next()}.part`);
    try {
      await mkdir(folder, { recursive: true });
      if ((await readdir(folder)).length > mostSets) await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await writeFile(
        part,
        JSON.stringify({ prefix, width, height, lastModified, icons, aliases, fetched, info: { name: set.name } }),
      );
      await rename(part, this.#fileOf(prefix));
    } catch (error) {
      log.warn({ err: error }, `icons cannot be stored in ${folder}: ${(error as Error).message}`);
    }
  }

  #fileOf(prefix: string): string {
    return path.join(this.#deps.folder, `${prefix}.json`);
  }
}

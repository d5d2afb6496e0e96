import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { CachedMap } from "#core/cached.ts";
import type { Clock, Log } from "#core/ports/index.ts";
import type { IconSetInfo } from "./icons.contract.ts";
import { type IconAnswer, type IconSet, isWord, parseSet, pick, ranked, shownNames } from "./icons.policy.ts";

/** Where icons come from. */
export interface IconSource {
  /** Null for an unknown set. `lasting`: the answer may be cached. */
  icons(prefix: string, names: readonly string[]): Promise<{ answer: IconAnswer; lasting: boolean } | null>;
  sets(): Promise<IconSetInfo[]>;
  /** `<set>:<icon>`, best first. */
  search(query: string, prefix: string | null, limit: number): Promise<{ icons: string[]; total: number }>;
}

const checkEveryMs = 2000;
const mostLoaded = 30;
const largestFile = 64 * 1024 * 1024;

interface LoadedFile {
  readonly set: IconSet | null;
  /** Why the file cannot be used. */
  readonly problem: string | null;
  /** Changes with the file. */
  readonly version: string;
}

export interface LocalDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The sets of a folder, one `<set>.json` each: read when they are first needed, and again when they change. */
export class LocalSets implements IconSource {
  readonly #deps: LocalDeps;
  readonly #loaded: CachedMap<string, LoadedFile | null>;

  constructor(deps: LocalDeps) {
    this.#deps = deps;
    this.#loaded = new CachedMap({ clock: deps.clock, ttlMs: checkEveryMs, max: mostLoaded });
  }

  async icons(prefix: string, names: readonly string[]) {
    const set = await this.set(prefix);
    return set ? { answer: pick(set, names), lasting: true } : null;
  }

  async sets(): Promise<IconSetInfo[]> {
    return (await this.#all()).map((set) => ({ prefix: set.prefix, name: set.name, total: shownNames(set).length }));
  }

  async search(query: string, prefix: string | null, limit: number) {
    const sets = prefix === null ? await this.#all() : [await this.set(prefix)];
    const names = sets.flatMap((set) => (set ? shownNames(set).map((name) => `${set.prefix}:${name}`) : []));
    const found = ranked(names, query);
    return { icons: found.slice(0, limit), total: found.length };
  }

  async set(prefix: string): Promise<IconSet | null> {
    return (await this.#load(prefix))?.set ?? null;
  }

  async prefixes(): Promise<string[]> {
    const files = await readdir(this.#deps.folder).catch(() => [] as string[]);
    return files
      .filter((file) => file.endsWith(".json") && isWord(file.slice(0, -5)))
      .map((file) => file.slice(0, -5))
      .toSorted();
  }

  /** Files that cannot be used, and why. Throws when the folder does not exist. */
  async problems(): Promise<{ file: string; problem: string }[]> {
    await readdir(this.#deps.folder);
    const found: { file: string; problem: string }[] = [];
    for (const prefix of await this.prefixes()) {
      const problem = (await this.#load(prefix))?.problem ?? null;
      if (problem !== null) found.push({ file: this.#fileOf(prefix), problem });
    }
    return found;
  }

  async #all(): Promise<IconSet[]> {
    const sets: IconSet[] = [];
    for (const prefix of await this.prefixes()) {
      const set = await this.set(prefix);
      if (set) sets.push(set);
    }
    return sets;
  }

  async #load(prefix: string): Promise<LoadedFile | null> {
    if (!isWord(prefix)) return null;
    return await this.#loaded.get(prefix, async () => await this.#check(prefix));
  }

  /** Reads the file unless it is unchanged; null when it does not exist. */
  async #check(prefix: string): Promise<LoadedFile | null> {
    const { log } = this.#deps;
    const file = this.#fileOf(prefix);
    const entry = await stat(file).catch(() => null);
    if (entry === null || !entry.isFile()) {
      // Not kept: requests for sets that do not exist would displace the others.
      this.#loaded.invalidate(prefix);
      return null;
    }
    const version = `${entry.mtimeMs} ${entry.size} ${entry.ino}`;
    const known = this.#loaded.last(prefix);
    if (known?.version === version) return known;
    const tooLarge = entry.size > largestFile;
    if (tooLarge) log.warn({ file }, `the icon set ${file} cannot be used: it is larger than ${largestFile} bytes`);
    return tooLarge
      ? { set: null, problem: `it is larger than ${largestFile} bytes`, version }
      : await this.#read(prefix, file, version, entry.mtimeMs);
  }

  async #read(prefix: string, file: string, version: string, modifiedAt: number): Promise<LoadedFile> {
    const { log } = this.#deps;
    try {
      const set = parseSet(JSON.parse(await readFile(file, "utf8")), prefix, modifiedAt / 1000);
      return { set, problem: null, version };
    } catch (error) {
      const problem = (error as Error).message;
      log.warn({ file }, `the icon set ${file} cannot be used: ${problem}`);
      return { set: null, problem, version };
    }
  }

  #fileOf(prefix: string): string {
    return path.join(this.#deps.folder, `${prefix}.json`);
  }
}

import { CachedMap, CachedValue } from "#core/cached.ts";
import { type Clock, type Ids, type Log, type Outgoing, OutgoingFailed } from "#core/ports/index.ts";
import type { IconSetInfo } from "./icons.contract.ts";
import type { IconSource } from "./icons.local.service.ts";
import { type IconSet, hasIcon, inGroups, isFullName, isWord, parseSet, pick, ranked, shownNames } from "./icons.policy.ts";
import { IconStore, type StoredSet } from "./icons.store.service.ts";

/** The icon service did not answer, or not with icons. */
export class IconServiceAway extends Error {
  override name = "IconServiceAway";
}

export interface ProxiedDeps {
  readonly apiUrl: string;
  /** Where fetched icons are stored, one file for each set. */
  readonly folder: string;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const dayMs = 24 * 60 * 60_000;
/** How long an icon is used without fetching it again: drawings hardly ever change. */
const freshMs = 30 * dayMs;
const missingMs = 10 * 60_000;
const mostMissing = 5000;
const largestAnswer = 4 * 1024 * 1024;

/** Icons of a service like the public Iconify API, stored on disk, so that they stay available without it. */
export class ProxiedSets implements IconSource {
  readonly #deps: ProxiedDeps;
  readonly #store: IconStore;
  /** The last fetch of each set. */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** `<set>` and `<set>:<icon>` that the service does not have. */
  readonly #missing: CachedMap<string, true>;
  readonly #collections: CachedValue<IconSetInfo[]>;

  constructor(deps: ProxiedDeps) {
    this.#deps = deps;
    const { clock } = deps;
    this.#store = new IconStore(deps);
    this.#missing = new CachedMap({ clock, ttlMs: missingMs, max: mostMissing });
    this.#collections = new CachedValue({ clock, ttlMs: dayMs, load: async () => await this.#fetchCollections() });
  }

  async icons(prefix: string, names: readonly string[]) {
    const { set, away } = await this.#inTurn(prefix, async () => await this.#complete(prefix, names));
    if (set === null && away) throw new IconServiceAway("nothing of this set is stored");
    return set === null ? null : { answer: pick(set, names), lasting: !away };
  }

  async sets(): Promise<IconSetInfo[]> {
    const sets = await this.#collections.get().catch(() => null);
    if (sets !== null) return sets;
    return (await this.#store.readAll()).map((set) => ({ prefix: set.prefix, name: set.name, total: shownNames(set).length }));
  }

  async search(query: string, prefix: string | null, limit: number) {
    const params = new URLSearchParams({ query, limit: String(Math.max(32, limit)), ...(prefix !== null && { prefix }) });
    const json = query.trim() === "" ? null : await this.#fetch(`search?${params.toString()}`).catch(() => null);
    const given = (json as { icons?: unknown } | null)?.icons;
    if (Array.isArray(given)) {
      const icons = given.filter((name): name is string => typeof name === "string" && isFullName(name));
      return { icons: icons.slice(0, limit), total: icons.length };
    }
    const stored = (await this.#store.readAll()).filter((set) => prefix === null || set.prefix === prefix);
    const found = ranked(
      stored.flatMap((set) => shownNames(set).map((name) => `${set.prefix}:${name}`)),
      query,
    );
    return { icons: found.slice(0, limit), total: found.length };
  }

  async #fetchCollections(): Promise<IconSetInfo[]> {
    const json = await this.#fetch("collections");
    if (typeof json !== "object" || json === null) throw new IconServiceAway("no list of sets");
    return Object.entries(json as Record<string, { name?: unknown; total?: unknown }>)
      .filter(([prefix, one]) => isWord(prefix) && typeof one === "object" && one !== null)
      .map(([prefix, { name, total }]) => ({
        prefix,
        name: typeof name === "string" ? name.slice(0, 100) : prefix,
        total: typeof total === "number" && Number.isSafeInteger(total) && total >= 0 ? total : 0,
      }));
  }

  /** Fetches icons that are not stored or too old. `set` is null for a set that the service does not have. */
  async #complete(prefix: string, names: readonly string[]): Promise<{ set: StoredSet | null; away: boolean }> {
    const { clock, log } = this.#deps;
    let set = await this.#store.read(prefix);
    const isOld = (name: string) => (set?.fetched.get(name) ?? 0) + freshMs <= clock.now();
    const wanted = names.filter(
      (name) => !this.#isMissing(prefix) && !this.#isMissing(`${prefix}:${name}`) && (set === null || isOld(name)),
    );
    if (wanted.length === 0) return { set, away: false };
    try {
      for (const group of inGroups(wanted)) {
        const json = await this.#fetch(`${prefix}.json?icons=${group.join(",")}`);
        if (json === null) {
          this.#missing.set(prefix, true);
          return { set, away: false };
        }
        set = this.#merge(set, parseSet(json, prefix, 0), group);
      }
      if (set) await this.#store.write(set);
      return { set, away: false };
    } catch (error) {
      log.warn({ service: this.#base }, `the icon service does not answer: ${(error as Error).message}`);
      return { set, away: true };
    }
  }

  #merge(stored: StoredSet | null, fetchedSet: IconSet, requested: readonly string[]): StoredSet {
    const [icons, aliases, fetched] = [new Map(stored?.icons), new Map(stored?.aliases), new Map(stored?.fetched)];
    for (const [name, icon] of fetchedSet.icons) icons.set(name, icon);
    for (const [name, alias] of fetchedSet.aliases) aliases.set(name, alias);
    for (const name of requested) {
      if (hasIcon(fetchedSet, name)) fetched.set(name, this.#deps.clock.now());
      else this.#missing.set(`${fetchedSet.prefix}:${name}`, true);
    }
    return { ...fetchedSet, icons, aliases, fetched };
  }

  #isMissing(key: string): boolean {
    return this.#missing.fresh(key) === true;
  }

  get #base(): string {
    return this.#deps.apiUrl.replace(/\/+$/, "");
  }

  /** The JSON of the service; null for 404. Throws `IconServiceAway`. */
  async #fetch(route: string): Promise<unknown> {
    try {
      const answer = await this.#deps.outgoing.request({
        url: `${this.#base}/${route}`,
        from: "endpoint",
        maxBytes: largestAnswer,
        timeoutMs: 5000,
      });
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw new IconServiceAway(`HTTP ${answer.status}`);
      return JSON.parse(Buffer.from(answer.body).toString("utf8")) as unknown;
    } catch (error) {
      if (error instanceof OutgoingFailed || error instanceof SyntaxError)
        throw new IconServiceAway(error.message, { cause: error });
      throw error;
    }
  }

  /** One after the other for each set, so that nothing is fetched twice. */
  async #inTurn<T>(prefix: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(prefix) ?? Promise.resolve();
    const own = before.then(work, work);
    this.#queues.set(prefix, own);
    try {
      return await own;
    } finally {
      if (this.#queues.get(prefix) === own) this.#queues.delete(prefix);
    }
  }
}

import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Clock, type Ids, type Log, type Outgoing, OutgoingFailed } from "#core/ports/index.ts";
import type { IconSetInfo } from "./icons.contract.ts";
import type { IconSource } from "./icons.local.service.ts";
import { type Alias, type Icon, type IconSet, hasIcon, isWord, parseSet, pick, ranked, shownNames } from "./icons.policy.ts";

/** The service did not answer, or not as one. */
export class IconServiceAway extends Error {
  override name = "IconServiceAway";
}

export interface ProxiedDeps {
  readonly apiUrl: string;
  /** Where what was fetched is kept, a file for each set. */
  readonly folder: string;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const dayMs = 24 * 60 * 60_000;
/** Drawings hardly ever change. */
const keptMs = 30 * dayMs;
const missedMs = 10 * 60_000;
const mostSets = 60;
const mostIconsOfSet = 3000;
/** Icon services take no longer addresses. */
const longestQuery = 400;
const largestAnswer = 4 * 1024 * 1024;

interface KeptSet extends IconSet {
  readonly icons: Map<string, Icon>;
  readonly aliases: Map<string, Alias>;
  /** When the drawing of each name was fetched. Milliseconds UTC. */
  readonly fetched: Map<string, number>;
}

/** Names in groups whose list by comma is short enough for one request. */
export function inGroups(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (length + name.length + 1 > longestQuery) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(name);
    length += name.length + 1;
  }
  return groups;
}

/** Icons of a service like the public Iconify API, kept on disk, so that they are there without it. */
export function createProxiedSets(deps: ProxiedDeps): IconSource {
  const { clock, folder } = deps;
  const base = deps.apiUrl.replace(/\/+$/, "");
  const sets = new Map<string, KeptSet | null>();
  const turns = new Map<string, Promise<unknown>>();
  /** `<set>` and `<set>:<icon>` that the service does not have, until when. */
  const missed = new Map<string, number>();
  let collections: { readonly sets: IconSetInfo[]; readonly until: number } | null = null;

  const fileOf = (prefix: string) => path.join(folder, `${prefix}.json`);
  const isMissed = (key: string) => (missed.get(key) ?? 0) > clock.now();

  function miss(key: string): void {
    if (missed.size > 5000) missed.clear();
    missed.set(key, clock.now() + missedMs);
  }

  async function ask(route: string): Promise<unknown> {
    try {
      const answer = await deps.outgoing.request({
        url: `${base}/${route}`,
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

  async function stored(prefix: string): Promise<KeptSet | null> {
    const known = sets.get(prefix);
    if (known !== undefined) return known;
    let kept: KeptSet | null = null;
    try {
      const json = JSON.parse(await readFile(fileOf(prefix), "utf8")) as { fetched?: Record<string, number> };
      const set = parseSet(json, prefix, 0);
      kept = {
        ...set,
        icons: new Map(set.icons),
        aliases: new Map(set.aliases),
        fetched: new Map(Object.entries(json.fetched ?? {})),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") await rm(fileOf(prefix), { force: true }).catch(() => undefined);
    }
    remember(prefix, kept);
    return kept;
  }

  function remember(prefix: string, kept: KeptSet | null): void {
    sets.delete(prefix);
    sets.set(prefix, kept);
    const [oldest] = sets.keys();
    if (sets.size > mostSets && oldest !== undefined) sets.delete(oldest);
  }

  async function store(kept: KeptSet): Promise<void> {
    for (const name of kept.icons.keys()) {
      if (kept.icons.size <= mostIconsOfSet) break;
      kept.icons.delete(name);
    }
    const { prefix, width, height, lastModified } = kept;
    const [icons, aliases, fetched] = [kept.icons, kept.aliases, kept.fetched].map((map) => Object.fromEntries<unknown>(map));
    const part = path.join(folder, `${deps.ids.next()}.part`);
    try {
      await mkdir(folder, { recursive: true });
      if ((await readdir(folder)).length > mostSets) await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await writeFile(
        part,
        JSON.stringify({ prefix, width, height, lastModified, icons, aliases, fetched, info: { name: kept.name } }),
      );
      await rename(part, fileOf(prefix));
    } catch (error) {
      deps.log.warn({ err: error }, `icons cannot be kept in ${folder}: ${(error as Error).message}`);
    }
  }

  function merge(kept: KeptSet | null, fresh: IconSet, asked: readonly string[]): KeptSet {
    const [icons, aliases, fetched] = [new Map(kept?.icons), new Map(kept?.aliases), new Map(kept?.fetched)];
    for (const [name, icon] of fresh.icons) icons.set(name, icon);
    for (const [name, alias] of fresh.aliases) aliases.set(name, alias);
    const merged = { ...fresh, icons, aliases, fetched };
    for (const name of asked) {
      if (hasIcon(fresh, name)) fetched.set(name, clock.now());
      else miss(`${fresh.prefix}:${name}`);
    }
    return merged;
  }

  /** Fetches what is not kept, or kept too long; null for a set that the service does not have. */
  async function complete(prefix: string, names: readonly string[]): Promise<{ set: KeptSet | null; away: boolean }> {
    let set = await stored(prefix);
    const old = (name: string) => (set?.fetched.get(name) ?? 0) + keptMs <= clock.now();
    const wanted = names.filter((name) => !isMissed(prefix) && !isMissed(`${prefix}:${name}`) && (set === null || old(name)));
    if (wanted.length === 0) return { set, away: false };
    try {
      for (const group of inGroups(wanted)) {
        const json = await ask(`${prefix}.json?icons=${group.join(",")}`);
        if (json === null) {
          miss(prefix);
          return { set, away: false };
        }
        set = merge(set, parseSet(json, prefix, 0), group);
      }
      if (set) {
        remember(prefix, set);
        await store(set);
      }
      return { set, away: false };
    } catch (error) {
      deps.log.warn({ service: base }, `the icon service does not answer: ${(error as Error).message}`);
      return { set, away: true };
    }
  }

  /** One after the other for each set, so that nothing is fetched twice. */
  async function inTurn<T>(prefix: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(prefix) ?? Promise.resolve();
    const mine = before.then(work, work);
    turns.set(prefix, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(prefix) === mine) turns.delete(prefix);
    }
  }

  async function keptSets(): Promise<KeptSet[]> {
    const files = await readdir(folder).catch(() => [] as string[]);
    const prefixes = files.filter((file) => file.endsWith(".json") && isWord(file.slice(0, -5))).map((file) => file.slice(0, -5));
    const found: KeptSet[] = [];
    for (const prefix of prefixes) {
      const set = await stored(prefix);
      if (set) found.push(set);
    }
    return found;
  }

  return {
    async icons(prefix, names) {
      const { set, away } = await inTurn(prefix, async () => await complete(prefix, names));
      if (set === null && away) throw new IconServiceAway("nothing of this set is kept");
      return set === null ? null : { answer: pick(set, names), lasting: !away };
    },

    async sets() {
      if (collections && collections.until > clock.now()) return collections.sets;
      const json = await ask("collections").catch(() => null);
      if (typeof json !== "object" || json === null)
        return (await keptSets()).map((set) => ({ prefix: set.prefix, name: set.name, total: shownNames(set).length }));
      const found = Object.entries(json as Record<string, { name?: unknown; total?: unknown }>)
        .filter(([prefix, one]) => isWord(prefix) && typeof one === "object" && one !== null)
        .map(([prefix, { name, total }]) => ({
          prefix,
          name: typeof name === "string" ? name.slice(0, 100) : prefix,
          total: typeof total === "number" && Number.isSafeInteger(total) && total >= 0 ? total : 0,
        }));
      collections = { sets: found, until: clock.now() + dayMs };
      return found;
    },

    async search(query, prefix, limit) {
      const words = new URLSearchParams({ query, limit: String(Math.max(32, limit)), ...(prefix !== null && { prefix }) });
      const json = query.trim() === "" ? null : await ask(`search?${words.toString()}`).catch(() => null);
      const given = (json as { icons?: unknown } | null)?.icons;
      if (Array.isArray(given)) {
        const icons = given.filter((name): name is string => typeof name === "string" && isFullName(name));
        return { icons: icons.slice(0, limit), total: icons.length };
      }
      const kept = (await keptSets()).filter((set) => prefix === null || set.prefix === prefix);
      const found = ranked(
        kept.flatMap((set) => shownNames(set).map((name) => `${set.prefix}:${name}`)),
        query,
      );
      return { icons: found.slice(0, limit), total: found.length };
    },
  };
}

function isFullName(text: string): boolean {
  const parts = text.split(":");
  return parts.length === 2 && parts.every(isWord);
}

/** Position and orientation of an icon in the format of Iconify; lengths in the units of the drawing. */
export interface Placement {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  /** Quarter turns. */
  readonly rotate?: number;
  readonly hFlip?: boolean;
  readonly vFlip?: boolean;
}

export interface Icon extends Placement {
  /** The content of `<svg>`. */
  readonly body: string;
}

export interface Alias extends Placement {
  readonly parent: string;
}

export interface IconSet {
  readonly prefix: string;
  /** The name to display. */
  readonly name: string;
  /** Seconds UTC. */
  readonly lastModified: number;
  readonly width: number;
  readonly height: number;
  readonly icons: ReadonlyMap<string, Icon>;
  readonly aliases: ReadonlyMap<string, Alias>;
  /** Names that a search does not find, but that are served. */
  readonly hidden: ReadonlySet<string>;
}

export interface IconAnswer {
  readonly prefix: string;
  readonly lastModified: number;
  readonly width: number;
  readonly height: number;
  readonly icons: Readonly<Record<string, Icon>>;
  readonly aliases: Readonly<Record<string, Alias>>;
  readonly not_found: readonly string[];
}

const word = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const longestBody = 64 * 1024;
const longestChain = 8;
const usualSide = 16;

export const isWord = (text: string): boolean => text.length <= 64 && word.test(text);

const drawingTags = new Set(
  (
    "animate animatemotion animatetransform circle clippath defs ellipse feblend fecolormatrix fecomposite feflood fegaussianblur " +
    "femerge femergenode feoffset filter g line lineargradient mask mpath path pattern polygon polyline radialgradient rect set " +
    "stop svg symbol text title tspan use"
  ).split(" "),
);

/**
 * Whether a drawing is safe inside the pages of Rollcall: only tags of drawings, no event handlers, and
 * references only to parts of the same drawing.
 */
export function isSafeSvg(body: string): boolean {
  if (body.length > longestBody) return false;
  for (const [, name = ""] of body.matchAll(/<\/?([^\s/>]*)/g)) if (!drawingTags.has(name.toLowerCase())) return false;
  // A character reference could hide the patterns below.
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(body)) return false;
  if (/[\s"'/]on[a-z]+\s*=|javascript:|\bdata:|@import|<!|<\?/i.test(body)) return false;
  if (/attributeName\s*=\s*["']?\s*(?:xlink:)?(?:href|on)/i.test(body) || /url\(\s*["']?\s*(?!["']?\s*#)/i.test(body))
    return false;
  return !/(?:href|src)\s*=\s*["']?\s*(?!["'\s]*#)/i.test(body);
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

function placementOf(given: Json): Placement {
  const placement: Record<string, number | boolean> = {};
  for (const name of ["left", "top", "width", "height", "rotate"] as const)
    if (typeof given[name] === "number" && Number.isFinite(given[name])) placement[name] = given[name];
  for (const name of ["hFlip", "vFlip"] as const) if (given[name] === true) placement[name] = true;
  return placement;
}

/** Parses the JSON of a set, without icons that cannot be used. Throws when it is no set with this prefix. */
export function parseSet(json: unknown, prefix: string, modifiedAt: number): IconSet {
  if (!isObject(json) || !isObject(json["icons"])) throw new Error("it contains no icons");
  if (json["prefix"] !== prefix) throw new Error(`its prefix is ${JSON.stringify(json["prefix"])}, but its name is ${prefix}`);
  const icons = new Map<string, Icon>();
  const aliases = new Map<string, Alias>();
  const hidden = new Set<string>();
  for (const [name, one] of Object.entries(json["icons"])) {
    if (!isWord(name) || !isObject(one) || typeof one["body"] !== "string" || !isSafeSvg(one["body"])) continue;
    icons.set(name, { body: one["body"], ...placementOf(one) });
    if (one["hidden"] === true) hidden.add(name);
  }
  for (const [name, one] of Object.entries(isObject(json["aliases"]) ? json["aliases"] : {})) {
    if (!isWord(name) || !isObject(one) || typeof one["parent"] !== "string") continue;
    aliases.set(name, { parent: one["parent"], ...placementOf(one) });
    if (one["hidden"] === true) hidden.add(name);
  }
  const info = isObject(json["info"]) ? json["info"] : {};
  return {
    prefix,
    name: typeof info["name"] === "string" ? info["name"].slice(0, 100) : prefix,
    lastModified: Math.floor(numberOf(json["lastModified"], modifiedAt)),
    width: numberOf(json["width"], usualSide),
    height: numberOf(json["height"], usualSide),
    icons,
    aliases,
    hidden,
  };
}

/** The aliases from a name to its icon, with that icon last; null when they do not lead to an icon. */
function chainOf({ icons, aliases }: IconSet, name: string): string[] | null {
  const chain = [name];
  for (let at = name; !icons.has(at);) {
    const parent = aliases.get(at)?.parent;
    if (parent === undefined || chain.length > longestChain || chain.includes(parent)) return null;
    chain.push(parent);
    at = parent;
  }
  return chain;
}

export const hasIcon = (set: IconSet, name: string): boolean => chainOf(set, name) !== null;

/** The icons of these names, and for each alias the icon and the aliases between them. */
export function pick(set: IconSet, names: readonly string[]): IconAnswer {
  const icons = new Map<string, Icon>();
  const aliases = new Map<string, Alias>();
  const missing = new Set<string>();
  for (const name of names) {
    const chain = chainOf(set, name);
    if (chain === null) missing.add(name);
    for (const link of chain ?? []) {
      const icon = set.icons.get(link);
      const alias = set.aliases.get(link);
      if (icon) icons.set(link, icon);
      else if (alias) aliases.set(link, alias);
    }
  }
  const { prefix, lastModified, width, height } = set;
  return {
    prefix,
    lastModified,
    width,
    height,
    icons: Object.fromEntries(icons),
    aliases: Object.fromEntries(aliases),
    not_found: [...missing],
  };
}

/** Names that a search may show. */
export function shownNames(set: IconSet): string[] {
  const aliases = [...set.aliases.keys()].filter((name) => !set.icons.has(name) && hasIcon(set, name));
  return [...set.icons.keys(), ...aliases].filter((name) => !set.hidden.has(name));
}

function rankOf(name: string, words: readonly string[]): number | null {
  let rank = 0;
  for (const one of words) {
    if (name === one) continue;
    if (name.startsWith(`${one}-`)) rank += 1;
    else if (name.startsWith(one)) rank += 2;
    else if (name.includes(`-${one}`)) rank += 3;
    else if (name.includes(one)) rank += 4;
    else return null;
  }
  return rank;
}

/** Names that contain every word of the query, the best match first, then the shortest. */
export function ranked(names: readonly string[], query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((one) => one !== "");
  if (words.length === 0) return [...names];
  return names
    .flatMap((name) => {
      const rank = rankOf(name.slice(name.indexOf(":") + 1), words);
      return rank === null ? [] : [{ name, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/** The icons that a text of an operator may name, the most likely first; known sets come before others. */
export function candidates(text: string, prefixes: readonly string[]): { prefix: string; name: string }[] {
  const given = text.trim().toLowerCase();
  const colon = /^(?:i-)?([a-z0-9-]+):([a-z0-9-]+)$/.exec(given);
  const found: { prefix: string; name: string }[] = [];
  if (colon) found.push({ prefix: colon[1] ?? "", name: colon[2] ?? "" });
  else if (isWord(given)) {
    for (const whole of given.startsWith("i-") ? [given.slice(2), given] : [given]) {
      const begins = prefixes.filter((prefix) => whole.startsWith(`${prefix}-`)).toSorted((a, b) => b.length - a.length);
      found.push(...begins.map((prefix) => ({ prefix, name: whole.slice(prefix.length + 1) })));
      found.push(...prefixes.map((prefix) => ({ prefix, name: whole })));
      const [first = "", ...rest] = whole.split("-");
      if (rest.length > 0) found.push({ prefix: first, name: rest.join("-") });
    }
  }
  return found.filter(({ prefix, name }) => isWord(prefix) && isWord(name));
}

/** Whether a text is `<set>:<icon>`. */
export function isFullName(text: string): boolean {
  const parts = text.split(":");
  return parts.length === 2 && parts.every(isWord);
}

/** Icon services accept no longer URLs. */
const longestQuery = 400;

/** Names in groups that are short enough for one request each. */
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

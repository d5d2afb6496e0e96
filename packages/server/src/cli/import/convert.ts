import { schema } from "#config/index.ts";
import { differences, dsnParts, durations, refusedValues, renamed, unsupported, values } from "./rules.ts";

export type Treatment = "taken over" | "renamed" | "value translated" | "other meaning" | "not supported" | "unknown";

/** The result for one key, without its value, which may be a secret. */
export interface Reported {
  readonly key: string;
  readonly fate: Treatment;
  /** The new path; null if the key was dropped. */
  readonly to: string | null;
  readonly note: string | null;
}

export interface Converted {
  readonly config: Record<string, unknown>;
  readonly report: readonly Reported[];
}

interface Part {
  readonly kind?: unknown;
  readonly type?: string;
  readonly structure?: { readonly kind: string; readonly entry: Record<string, Part> } | null;
}

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const isOption = (part: Part) => part.kind === "option";

/** Finds an option by path, ignoring case, because names are case-insensitive in FiveNet. */
function findOption(path: readonly string[]): { readonly path: string; readonly option: Part } | null {
  let part: Part = schema as unknown as Part;
  const spelt: string[] = [];
  for (const name of path) {
    const inside = isOption(part)
      ? part.structure?.kind === "fields"
        ? part.structure.entry
        : null
      : (part as Record<string, Part>);
    const found = inside === null ? undefined : Object.keys(inside).find((key) => key.toLowerCase() === name.toLowerCase());
    if (inside === null || found === undefined) return null;
    part = inside[found]!;
    spelt.push(found);
  }
  return { path: spelt.join("."), option: part };
}

function renamedPath(path: string): string {
  const lower = path.toLowerCase();
  for (const { from, to } of renamed)
    if (lower === from || lower.startsWith(`${from}.`)) return `${to}${path.slice(from.length)}`;
  return path;
}

function reasonAgainst(path: string): string | null {
  const lower = path.toLowerCase();
  const found = Object.keys(unsupported).find((key) => lower === key || lower.startsWith(`${key}.`));
  return found === undefined ? null : unsupported[found]!;
}

const units = [
  ["h", 3_600_000_000_000n],
  ["m", 60_000_000_000n],
  ["s", 1_000_000_000n],
  ["ms", 1_000_000n],
] as const;

function durationOf(whole: bigint): string {
  const unit = units.find(([, size]) => whole % size === 0n) ?? units.at(-1)!;
  return `${whole / unit[1]}${unit[0]}`;
}

const splitList = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const truths: Readonly<Record<string, boolean>> = { "1": true, t: true, true: true, "0": false, f: false, false: false };
const decimal = /^[+-]?\d+(\.\d+)?$/;

interface Translated {
  readonly value: unknown;
  readonly note: string | null;
}

/** FiveNet reads numbers and truth values from text too, and text from numbers; here each has its own type. */
function retyped(option: Part, value: unknown): Translated | null {
  if (option.type === "boolean" && (typeof value === "string" || typeof value === "bigint")) {
    const truth = truths[String(value).toLowerCase()];
    return truth === undefined ? null : { value: truth, note: "a truth value is written as true or false" };
  }
  if ((option.type === "number" || option.type === "float") && typeof value === "string" && decimal.test(value.trim()))
    return { value: Number(value), note: "a number is written without quotes" };
  if (option.type === "string" && (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean"))
    return { value: String(value), note: "text is written in quotes" };
  return null;
}

function translated(path: string, option: Part, value: unknown): Translated {
  if (durations.has(path) && typeof value === "bigint" && value !== 0n)
    return { value: durationOf(value), note: "a number without a unit was nanoseconds" };
  if (option.type === "string[]" && typeof value === "string")
    return { value: splitList(value), note: "a list is written as one" };
  const spelling = typeof value === "string" ? values[path]?.[value.toLowerCase()] : undefined;
  if (spelling !== undefined) return { value: spelling, note: `is spelt ${spelling} here` };
  return retyped(option, value) ?? { value, note: null };
}

/** Options inside of an entry of a list, by the names of FiveNet, which are compared without case. */
function translatedEntry(key: string, inside: Record<string, Part>, entry: Node, report: Reported[]): Node {
  const fields = Object.entries(entry).map(([name, value]): [string, unknown] => {
    const found = Object.keys(inside).find((known) => known.toLowerCase() === name.toLowerCase());
    if (found === undefined || value === null) return [name, value];
    const part = inside[found]!;
    const at = `${key}.${found}`;
    if (!isOption(part)) return [found, isNode(value) ? translatedEntry(at, part as Record<string, Part>, value, report) : value];
    const { value: written, note } = translated(at, part, value);
    if (note !== null) report.push({ key: at, fate: "value translated", to: at, note });
    return [found, written];
  });
  return Object.fromEntries(fields);
}

/** Converts providers, which differ only in the names of types. */
function providersOf(value: unknown, option: Part, report: Reported[]): unknown {
  if (!Array.isArray(value)) return value;
  const entries = value as unknown[];
  return entries.flatMap((entry, at) => {
    if (!isNode(entry)) return [entry];
    const key = `oauth2.providers[${at}].type`;
    const inside = option.structure?.entry ?? {};
    const written = () => translatedEntry(`oauth2.providers[${at}]`, inside, entry, report);
    if (entry["type"] === "discord") {
      report.push({ key, fate: "value translated", to: key, note: "is spelt chat here" });
      return [{ ...written(), type: "chat" }];
    }
    if (entry["type"] !== "steam") return [written()];
    report.push({ key, fate: "not supported", to: null, note: "there is no provider of type steam; the entry is left out" });
    return [];
  });
}

function assign(config: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".");
  let at: Node = config;
  for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Node;
  at[keys.at(-1)!] = value;
}

const has = (config: Record<string, unknown>, path: string) =>
  path.split(".").reduce<unknown>((at, key) => (isNode(at) ? at[key] : undefined), config) !== undefined;

/** The DSN for an address that was configured in parts. */
function dsnOf(parts: ReadonlyMap<string, unknown>): string {
  const text = (name: string, fallback: string) => String(parts.get(name) ?? fallback);
  const net = text("net", "tcp");
  const address = net === "unix" ? text("host", "") : `${text("host", "localhost")}:${text("port", "3306")}`;
  const collation = text("collation", "utf8mb4_unicode_ci");
  return `${text("username", "")}:${text("password", "")}@${net}(${address})/${text("database", "")}?collation=${collation}&parseTime=True&loc=UTC`;
}

class Conversion {
  readonly config: Record<string, unknown> = {};
  readonly report: Reported[] = [];
  readonly #dsn = new Map<string, unknown>();
  readonly #subsystems: readonly string[];

  constructor(subsystems: readonly string[]) {
    this.#subsystems = subsystems;
  }

  walk(node: Node, prefix: readonly string[]): void {
    for (const [name, value] of Object.entries(node)) this.#key([...prefix, name], value);
  }

  #key(keys: readonly string[], value: unknown): void {
    const key = keys.join(".");
    if (keys.length === 2 && keys[0]?.toLowerCase() === "database" && this.#dsnPart(key, keys[1]!.toLowerCase(), value)) return;
    const reason = reasonAgainst(key);
    if (reason !== null) return this.#note(key, "not supported", null, reason);
    const here = renamedPath(key);
    const found = findOption(here.split("."));
    if (found === null || !isOption(found.option)) {
      if (isNode(value) && (found !== null || this.#leadsSomewhere(here))) return this.walk(value, keys);
      if (value === null) return;
      return this.#note(key, "unknown", null, "neither FiveNet nor Rollcall has it, or its name is mistyped");
    }
    if (found.option.structure?.kind === "fields" && isNode(value)) return this.walk(value, keys);
    this.#option(key, found.path, found.option, value);
  }

  /** Keys of a renamed section may be renamed as well. */
  #leadsSomewhere(path: string): boolean {
    return [...renamed.map(({ from }) => from), ...Object.keys(unsupported)].some((from) =>
      from.startsWith(`${path.toLowerCase()}.`),
    );
  }

  #option(key: string, path: string, option: Part, value: unknown): void {
    if (value === null) return;
    const refused = typeof value === "string" ? refusedValues[path]?.[value.toLowerCase()] : undefined;
    if (refused !== undefined) return this.#note(key, "not supported", null, refused);
    if (has(this.config, path)) return this.#note(key, "not supported", null, `${path} is set already and took precedence`);
    if (path === "log.levelOverrides" && isNode(value)) return this.#levels(key, path, value);
    const given = path === "oauth2.providers" ? providersOf(value, option, this.report) : value;
    const { value: written, note } = translated(path, option, given);
    assign(this.config, path, written);
    const moved = path.toLowerCase() !== key.toLowerCase();
    const differs = differences.find((one) => one.path === path && one.concerns(written));
    if (differs !== undefined) return this.#note(key, "other meaning", path, differs.note);
    this.#note(key, note !== null ? "value translated" : moved ? "renamed" : "taken over", path, note);
  }

  /** Only what exists here: any other name would be refused. */
  #levels(key: string, path: string, levels: Node): void {
    const known = Object.entries(levels).flatMap(([name, level]) => {
      const here = this.#subsystems.find((one) => one === name.toLowerCase());
      if (here === undefined) this.#note(`${key}.${name}`, "not supported", null, "no part of Rollcall logs under this name");
      return here === undefined ? [] : [[here, level] as const];
    });
    if (known.length > 0) {
      assign(this.config, path, Object.fromEntries(known));
      this.#note(key, "taken over", path, null);
    }
  }

  #dsnPart(key: string, name: string, value: unknown): boolean {
    if (!(dsnParts as readonly string[]).includes(name)) return false;
    this.#dsn.set(name, value);
    this.#note(key, "renamed", "database.dsn", "the address is one text here");
    return true;
  }

  finish(): Converted {
    for (const { path, concerns, note } of differences)
      if (concerns(undefined) && !has(this.config, path)) this.#note(path, "other meaning", path, `not set: ${note}`);
    if (this.#dsn.has("host") && !has(this.config, "database.dsn")) assign(this.config, "database.dsn", dsnOf(this.#dsn));
    return { config: this.config, report: this.report };
  }

  #note(key: string, fate: Treatment, to: string | null, note: string | null): void {
    this.report.push({ key, fate, to, note });
  }
}

/**
 * The current names of admin options take precedence over the former ones, whatever their order in the file, and lists with
 * entries over empty ones.
 */
function currentFirst(node: Node): Node {
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (name.toLowerCase() !== "auth" || !isNode(value)) return [name, value];
    const rank = ([key, list]: readonly [string, unknown]) =>
      (Array.isArray(list) && list.length === 0 ? 2 : 0) + (key.toLowerCase().startsWith("superuser") ? 1 : 0);
    const sorted = Object.entries(value).toSorted((a, b) => rank(a) - rank(b));
    return [name, Object.fromEntries(sorted)];
  });
  return Object.fromEntries(entries);
}

/**
 * Converts the tree of a FiveNet-style configuration, and reports the result for every key. Whole numbers
 * are bigints, because bit fields of permissions exceed a number's precision.
 */
export function convertConfig(tree: unknown, subsystems: readonly string[]): Converted {
  const conversion = new Conversion(subsystems);
  if (!isNode(tree) || Object.keys(tree).length === 0) return conversion;
  conversion.walk(currentFirst(tree), []);
  return conversion.finish();
}

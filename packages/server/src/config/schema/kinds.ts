import path from "node:path";
import { accept, isAccepted, refuse, type Complaint, type Parsed } from "../parsed.ts";
import { parseDuration } from "../duration.ts";
import { isNull, plain, treeOf, type Place, type ScalarNode, type TreeNode } from "../tree.ts";
import type { DocumentType, Option, Reading } from "./option.ts";

/** The properties of every kind of option. */
export interface Meta {
  readonly meaning: string;
  readonly default?: unknown;
  readonly required?: true;
  readonly secret?: true;
  readonly inEffect?: true;
  /** Not in the interface of docs/spec. */
  readonly own?: true;
  readonly example?: string;
}
/** `T`, or `T | null` if the option is neither required nor has a default. */
export type Given<T, M extends Meta> = M extends { required: true } | { default: {} } ? T : T | null;

export interface Kind<T> {
  readonly type: DocumentType;
  readonly absent: T;
  readonly read: (node: TreeNode, reading: Reading) => T | undefined;
  readonly fromText: (text: string, place: Place) => TreeNode;
  readonly values?: readonly string[];
  readonly structure?: Option<T>["structure"];
  readonly example?: string;
  readonly show?: Option<T>["show"];
  readonly mustDiffer?: boolean;
  readonly emptyIsText?: boolean;
}

export function define<T>(kind: Kind<T>, meta: Meta): Option<T> {
  const fallback = meta.default === undefined ? "" : JSON.stringify(meta.default);
  return {
    kind: "option",
    type: kind.type,
    default: meta.default ?? null,
    required: meta.required ?? false,
    meaning: meta.meaning,
    secret: meta.secret ?? false,
    mustDiffer: (meta.secret ?? false) && (kind.mustDiffer ?? true),
    inEffect: meta.inEffect ?? false,
    own: meta.own ?? false,
    example: meta.example ?? kind.example ?? fallback,
    values: kind.values ?? null,
    structure: kind.structure ?? null,
    absent: kind.absent,
    emptyIsText: kind.emptyIsText ?? false,
    read: kind.read,
    fromText: kind.fromText,
    show: kind.show ?? (meta.secret ? () => "***" : plain),
  };
}

/** Reports the problem or the warnings of a parsed value at `node`. */
export function reportParsed<T>(parsed: Parsed<T>, node: TreeNode, reading: Reading): T | undefined {
  if (!isAccepted(parsed)) {
    reading.complain(parsed, node);
    return undefined;
  }
  for (const warning of parsed.warnings) reading.warn(warning, node);
  return parsed.value;
}

export function nameOf(node: TreeNode): string {
  if (node.kind === "list") return "a list";
  if (node.kind === "map") return "a section";
  if (node.value === null) return "empty";
  return typeof node.value === "string" ? "text" : `a ${typeof node.value}`;
}

/** The text of a node; reports a problem if it is not a text. */
export function readText(node: TreeNode, reading: Reading, example: string, secret = false): string | undefined {
  if (node.kind === "scalar" && typeof node.value === "string") return node.value;
  const quotable = node.kind === "scalar" && node.value !== null;
  const instead = quotable
    ? `write ${secret ? "it" : `"${node.text}"`} in quotes`
    : `write text${example ? `, for example ${example}` : ""}`;
  reading.complain(refuse(`is ${nameOf(node)} where text is expected`, instead), node);
  return undefined;
}

export const scalarFromText = (text: string, place: Place): ScalarNode => ({
  kind: "scalar",
  value: text,
  text,
  place,
});

export type Check<T> = (value: T) => Complaint | null;

export interface TextRules<T> {
  readonly parse: (text: string, reading: Reading) => Parsed<T>;
  /** Accepts the empty text. */
  readonly allowEmpty?: boolean;
  readonly values?: readonly string[];
  readonly example?: string;
  readonly show?: Option<T>["show"];
  readonly mustDiffer?: boolean;
}

/** An option whose value is one text. */
export function textual<T, const M extends Meta>(meta: M, rules: TextRules<T>): Option<Given<T, M>> {
  const example = meta.example ?? rules.example ?? (typeof meta.default === "string" ? meta.default : "");
  const optional = meta.default === undefined && !meta.required;
  // `listen: 8080` is a YAML number: the parser of the option gives the best remedy.
  const misreadHint = (node: TreeNode, reading: Reading): Complaint | null => {
    if (node.kind !== "scalar" || node.value === null || typeof node.value === "string") return null;
    const parsed = rules.parse(node.text, reading);
    return isAccepted(parsed) ? null : parsed;
  };
  const read = (node: TreeNode, reading: Reading): T | null | undefined => {
    const hint = misreadHint(node, reading);
    if (hint !== null && !meta.secret) {
      reading.complain(hint, node);
      return undefined;
    }
    const text = readText(node, reading, example, meta.secret);
    if (text === undefined) return undefined;
    if (text.trim() === "" && !rules.allowEmpty) {
      if (optional) return null;
      reading.complain(refuse("is empty", example ? `write for example ${example}` : "write a value"), node);
      return undefined;
    }
    return reportParsed((meta.secret && refusePlaceholder(text)) || rules.parse(text, reading), node, reading);
  };
  const kind: Kind<T | null> = {
    type: "string",
    absent: null,
    read,
    fromText: scalarFromText,
    ...(rules.values && { values: rules.values }),
    ...(rules.example && { example: rules.example }),
    ...(rules.show && { show: rules.show }),
    ...(rules.mustDiffer !== undefined && { mustDiffer: rules.mustDiffer }),
    emptyIsText: rules.allowEmpty ?? false,
  };
  return define(kind, meta) as Option<Given<T, M>>;
}

/** The examples of secrets are in parentheses; copied unchanged they would be publicly known secrets. */
export function refusePlaceholder(secret: string): Complaint | null {
  return /^[(<].*[)>]$/.test(secret) ? refuse("is still the placeholder of the example", "write your own random value") : null;
}

export function text<const M extends Meta>(meta: M, check: Check<string> = () => null): Option<Given<string, M>> {
  return textual(meta, { parse: (value) => check(value) ?? accept(value) });
}

/** One of `values`; `aliases` are further spellings. Case does not matter. */
export function oneOf<const V extends string, const M extends Meta>(
  values: readonly V[],
  meta: M,
  aliases: Readonly<Record<string, V>> = {},
): Option<Given<V, M>> {
  return textual<V, M>(meta, { parse: (value) => parseOneOf(value, values, aliases), values });
}

export function parseOneOf<V extends string>(
  value: string,
  values: readonly V[],
  aliases: Readonly<Record<string, V>> = {},
): Parsed<V> {
  const lower = value.toLowerCase();
  const known = values.find((v) => v.toLowerCase() === lower) ?? aliases[lower];
  return known === undefined ? refuse(`"${value}" is not known`, `write ${listed(values)}`) : accept(known);
}

function listed(values: readonly string[]): string {
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}

const levels = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];
export const parseLevel = (value: string) => parseOneOf<Level>(value, levels, { warning: "warn" });

export function level<const M extends Meta>(meta: M): Option<Given<Level, M>> {
  return textual<Level, M>(meta, { parse: parseLevel, values: levels });
}

/** Milliseconds of a Go-style duration. */
export function duration<const M extends Meta>(meta: M, limits: { min?: string } = {}): Option<Given<number, M>> {
  const least = limits.min === undefined ? null : parseDuration(limits.min);
  const parse = (value: string): Parsed<number> => {
    const parsed = parseDuration(value);
    if (!isAccepted(parsed) || least === null || !isAccepted(least)) return parsed;
    return parsed.value < least.value ? refuse(`${value} is too short`, `write ${limits.min} or more`) : parsed;
  };
  const option = textual(meta, { parse });
  const numberAsText = (node: TreeNode): TreeNode =>
    node.kind === "scalar" && typeof node.value === "number" ? scalarFromText(node.text, node.place) : node;
  return { ...option, read: (node, reading) => option.read(numberAsText(node), reading) };
}

/** An absolute path; relative ones are resolved against the working directory. */
export function filePath<const M extends Meta>(meta: M): Option<Given<string, M>> {
  return textual(meta, {
    parse: (value, reading) =>
      value.includes("\0")
        ? refuse("contains a null character", "write a path, for example ./data")
        : accept(path.resolve(reading.cwd, value)),
    show: (node, cwd) => (node.kind === "scalar" && node.text !== "" ? path.resolve(cwd, node.text) : plain(node)),
  });
}

export function flag(meta: Meta & { default: boolean }): Option<boolean> {
  const read = (node: TreeNode, reading: Reading) => {
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    const shown = node.kind === "scalar" && !isNull(node) ? `"${node.text}"` : nameOf(node);
    reading.complain(
      refuse(`${shown} is not a boolean`, `write true or false${node.kind === "scalar" ? ", without quotes" : ""}`),
      node,
    );
    return undefined;
  };
  const fromText = (value: string, place: Place): TreeNode => {
    const known = { true: true, "1": true, false: false, "0": false }[value.trim().toLowerCase()];
    return known === undefined ? scalarFromText(value, place) : treeOf(known, place);
  };
  return define<boolean>({ type: "boolean", absent: false, read, fromText }, meta);
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** An integer, or with type `float` any number, within a range. */
export function numeric(meta: Meta & { default: number }, range: Range, type: "number" | "float" = "number"): Option<number> {
  const remedy = `write ${type === "number" ? "a whole number" : "a number"} from ${range.min} to ${range.max}`;
  const read = (node: TreeNode, reading: Reading) => {
    const value = node.kind === "scalar" ? node.value : null;
    if (typeof value !== "number" || !Number.isFinite(value)) {
      const shown = node.kind === "scalar" && !isNull(node) ? `"${node.text}"` : nameOf(node);
      reading.complain(
        refuse(`${shown} is not a number`, `${remedy}${typeof value === "string" ? ", without quotes" : ""}`),
        node,
      );
      return undefined;
    }
    if (type === "number" && !Number.isInteger(value)) reading.complain(refuse(`${value} is not a whole number`, remedy), node);
    else if (value < range.min || value > range.max) reading.complain(refuse(`${value} is out of range`, remedy), node);
    else return value;
    return undefined;
  };
  const fromText = (value: string, place: Place): TreeNode =>
    /^-?\d+(\.\d+)?$/.test(value.trim()) ? treeOf(Number(value), place) : scalarFromText(value, place);
  return define<number>({ type, absent: 0, read, fromText }, meta);
}

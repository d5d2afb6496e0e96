import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from "yaml";

/** The source of a value. */
export type Place =
  | { readonly kind: "file"; readonly file: string; readonly line: number; readonly column: number }
  /** `file` if the variable refers to a secret file. */
  | { readonly kind: "variable"; readonly name: string; readonly file?: string }
  | { readonly kind: "default" };

export interface ScalarNode {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** The source text without quotes, which keeps the digits of large numbers. */
  readonly text: string;
  readonly place: Place;
}
export interface ListNode {
  readonly kind: "list";
  readonly items: readonly TreeNode[];
  readonly place: Place;
}
export interface MapEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: TreeNode;
}
export interface MapNode {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
  readonly place: Place;
}
/** A configuration document with the source of every node. */
export type TreeNode = ScalarNode | ListNode | MapNode;

/** A problem with the form of the document. */
export interface FormProblem {
  readonly path: string;
  readonly place: Place;
  readonly what: string;
  readonly instead: string;
}

export interface ParsedTree {
  readonly tree: TreeNode;
  readonly problems: readonly FormProblem[];
}

const maxDepth = 32;

/** Parses YAML; after a syntax error the tree is empty and only the problems of form are returned. */
export function parseTree(text: string, placeOf: (line: number, column: number) => Place): ParsedTree {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    strict: true,
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return placeOf(Math.max(line, 1), Math.max(col, 1));
  };
  const empty: TreeNode = { kind: "map", entries: [], place: placeOf(1, 1) };
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      path: "(document)",
      place: at(error.pos[0]),
      what: `is not valid YAML: ${oneLine(error.message)}`,
      instead: yamlRemedy(error.code, error.message),
    }));
    return { tree: empty, problems };
  }
  const problems: FormProblem[] = [];
  const tree = document.contents === null ? empty : convert(document.contents, "", { document, at, problems, depth: 0 });
  return { tree: isNull(tree) ? empty : { ...tree, place: empty.place }, problems };
}

interface Conversion {
  readonly document: Document;
  readonly at: (offset: number) => Place;
  readonly problems: FormProblem[];
  readonly depth: number;
}

function convert(node: Node | null, path: string, c: Conversion): TreeNode {
  const place = c.at(node?.range?.[0] ?? 0);
  if (c.depth > maxDepth) {
    c.problems.push({
      path: path || "(document)",
      place,
      what: "is nested too deeply",
      instead: "remove the alias that contains itself",
    });
    return nullAt(place);
  }
  const deeper = { ...c, depth: c.depth + 1 };
  if (isAlias(node)) {
    const target = node.resolve(c.document) as Node | undefined;
    return target ? convert(target, path, deeper) : nullAt(place);
  }
  if (isScalar(node)) return fromScalar(node.value, node.source, place);
  if (isSeq(node)) {
    const items = node.items.map((item, i) => convert(item as Node | null, `${path}[${i}]`, deeper));
    return { kind: "list", items, place };
  }
  if (isMap(node)) return { kind: "map", entries: convertEntries(node.items, path, deeper), place };
  return nullAt(place);
}

function convertEntries(pairs: readonly { key: unknown; value: unknown }[], path: string, c: Conversion): MapEntry[] {
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  for (const pair of pairs) {
    const keyNode = pair.key as Node | null;
    const keyPlace = c.at(keyNode?.range?.[0] ?? 0);
    const key = isScalar(keyNode) ? String(keyNode.source ?? keyNode.value) : "?";
    const keyPath = path === "" ? key : `${path}.${key}`;
    if (seen.has(key)) {
      c.problems.push({
        path: keyPath,
        place: keyPlace,
        what: "is written twice",
        instead: "keep one of the two",
      });
      continue;
    }
    seen.add(key);
    const valueNode = pair.value as Node | null;
    const value = convert(valueNode, keyPath, c);
    entries.push({ key, keyPlace, value: isNull(value) ? nullAt(keyPlace) : value });
  }
  return entries;
}

function fromScalar(value: unknown, source: string | undefined, place: Place): ScalarNode {
  if (value === null || value === undefined) return nullAt(place);
  const known = typeof value === "number" || typeof value === "boolean" ? value : (value as string | bigint).toString();
  return {
    kind: "scalar",
    value: known,
    text: typeof known === "string" ? known : (source ?? String(known)),
    place,
  };
}

export function nullAt(place: Place): ScalarNode {
  return { kind: "scalar", value: null, text: "", place };
}

export function isNull(node: TreeNode): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** A tree of plain data, for defaults and for values of the environment. */
export function treeOf(value: unknown, place: Place): TreeNode {
  if (Array.isArray(value)) return { kind: "list", items: value.map((item) => treeOf(item, place)), place };
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, v]) => ({
      key,
      keyPlace: place,
      value: treeOf(v, place),
    }));
    return { kind: "map", entries, place };
  }
  return fromScalar(value, undefined, place);
}

/** Plain data of a tree. */
export function plain(node: TreeNode): unknown {
  if (node.kind === "list") return node.items.map(plain);
  if (node.kind === "map") return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
  return node.value;
}

export function child(node: TreeNode | null, key: string): MapEntry | null {
  return node?.kind === "map" ? (node.entries.find((entry) => entry.key === key) ?? null) : null;
}

/** A copy of the tree with `value` at `keys`; a number is a position in a list. */
export function withValue(node: TreeNode | null, keys: readonly (string | number)[], value: TreeNode): TreeNode {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const usable = node !== null && !isNull(node) ? node : null;
  if (typeof key === "number") {
    const items = usable?.kind === "list" ? [...usable.items] : [];
    items[key] = withValue(items[key] ?? null, rest, value);
    return { kind: "list", items, place: usable?.place ?? value.place };
  }
  if (usable !== null && usable.kind !== "map") return usable;
  const entries = usable?.entries ?? [];
  const index = entries.findIndex((entry) => entry.key === key);
  const old = entries[index];
  const entry = {
    key,
    keyPlace: old?.keyPlace ?? value.place,
    value: withValue(old?.value ?? null, rest, value),
  };
  return {
    kind: "map",
    entries: old ? entries.with(index, entry) : [...entries, entry],
    place: usable?.place ?? node?.place ?? value.place,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function yamlRemedy(code: string, message: string): string {
  if (/flow (map|sequence|collection)/i.test(message)) return "close every bracket [ ] and { }";
  if (code === "TAB_AS_INDENT") return "indent with spaces";
  if (code === "BAD_INDENT") return "indent keys of one section by the same number of spaces";
  if (code === "MULTIPLE_DOCS") return "keep one document: remove the line ---";
  if (code === "MULTILINE_IMPLICIT_KEY" || code === "MISSING_CHAR")
    return 'check the indentation, quotes and brackets; text with ": " or " #" requires quotes';
  return "check the indentation, quotes and brackets of this line";
}

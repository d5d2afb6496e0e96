import { accept, refuse, type Complaint, type Parsed } from "../parsed.ts";
import { isNull, parseTree, plain, treeOf, type MapNode, type Place, type TreeNode } from "../tree.ts";
import { define, nameOf, readText, refusePlaceholder, scalarFromText, reportParsed, type Meta } from "./kinds.ts";
import type { EntryCheck, Group, Option, Reading, Values } from "./option.ts";

interface ListRules {
  readonly parse?: (item: string) => Parsed<string>;
  /** The problem of an empty list. */
  readonly atLeastOne?: Complaint;
}

/** A list of texts; comma-separated in the environment. */
export function textList(meta: Meta, rules: ListRules = {}): Option<readonly string[]> {
  const read = (node: TreeNode, reading: Reading) => {
    if (node.kind !== "list") {
      const example = meta.example ?? "[one, two]";
      reading.complain(
        refuse(
          `is ${nameOf(node)} where a list is expected`,
          `write ${node.kind === "scalar" && !meta.secret ? `["${node.text}"]` : example}`,
        ),
        node,
      );
      return undefined;
    }
    if (node.items.length === 0 && rules.atLeastOne) reading.complain(rules.atLeastOne, node);
    const values = node.items.map((item, i) => readItem(item, reading.at(`${reading.path}[${i}]`)));
    const whole = values.filter((value) => value !== undefined);
    return whole.length === node.items.length ? whole : undefined;
  };
  const readItem = (item: TreeNode, reading: Reading) => {
    const value = readText(item, reading, "", meta.secret);
    if (value === undefined) return undefined;
    if (value.trim() === "")
      return reportParsed<string>(refuse("is an empty entry", "write a value or remove the entry"), item, reading);
    return reportParsed((meta.secret && refusePlaceholder(value)) || (rules.parse?.(value) ?? accept(value)), item, reading);
  };
  const fromText = (value: string, place: Place): TreeNode => treeOf(splitList(value), place);
  const show = meta.secret ? (node: TreeNode) => (node.kind === "list" ? node.items.map(() => "***") : "***") : plain;
  return define<readonly string[]>({ type: "string[]", absent: [], read, fromText, show }, meta);
}

function splitList(value: string): string[] {
  return value
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Parses the environment text of a structured value: YAML flow style, or `a=b,c=d` with `pairs`. */
function structuredFromText(pairs: boolean) {
  return (value: string, place: Place): TreeNode => {
    const trimmed = value.trim();
    if (!/^[[{]/.test(trimmed)) {
      if (!pairs) return trimmed === "" ? treeOf([], place) : scalarFromText(value, place);
      const split = splitList(value).map((item) => [
        item.split("=")[0]!.trim(),
        item.includes("=") ? item.slice(item.indexOf("=") + 1).trim() : null,
      ]);
      return treeOf(Object.fromEntries(split), place);
    }
    const parsed = parseTree(trimmed, () => place);
    return parsed.problems.length > 0 ? scalarFromText(value, place) : parsed.tree;
  };
}

function asMap(node: TreeNode, reading: Reading, example: string): MapNode | undefined {
  if (node.kind === "map") return node;
  reading.complain(refuse(`is ${nameOf(node)} where a mapping is expected`, `write for example ${example}`), node);
  return undefined;
}

/** A mapping of free names to values; the case of names is kept. */
export function textMap<T = string>(
  meta: Meta & { example: string },
  parse: (value: string) => Parsed<T>,
): Option<Readonly<Record<string, T>>> {
  const read = (node: TreeNode, reading: Reading) => {
    const map = asMap(node, reading, meta.example);
    if (!map) return undefined;
    const values: [string, T][] = [];
    for (const { key, value } of map.entries) {
      const part = reading.at(`${reading.path}.${key}`);
      const written = readText(value, part, "", meta.secret);
      const settled = written === undefined ? undefined : reportParsed(parse(written), value, part);
      if (settled !== undefined) values.push([key, settled]);
    }
    return values.length === map.entries.length ? Object.fromEntries(values) : undefined;
  };
  const hidden = (node: TreeNode) =>
    node.kind === "map" ? Object.fromEntries(node.entries.map((entry) => [entry.key, "***"])) : "***";
  const show = meta.secret ? hidden : plain;
  return define<Readonly<Record<string, T>>>(
    {
      type: "map[string]string",
      absent: {},
      read,
      fromText: structuredFromText(true),
      show,
      mustDiffer: false,
    },
    meta,
  );
}

function hideSecrets(group: Group, node: TreeNode): unknown {
  if (node.kind !== "map") return plain(node);
  const shown = node.entries.map(({ key, value }) => {
    const part = group[key];
    if (part === undefined || isNull(value)) return [key, plain(value)];
    return [key, part.kind === "option" ? (part as Option<unknown>).show(value, "") : hideSecrets(part as Group, value)];
  });
  return Object.fromEntries(shown);
}

/** A list of entries of one shape. */
export function entryList<G extends Group>(
  meta: Meta & { example: string },
  entry: G,
  check?: EntryCheck<G>,
): Option<readonly Values<G>[]> {
  const read = (node: TreeNode, reading: Reading) => {
    if (node.kind !== "list") {
      reading.complain(
        refuse(`is ${nameOf(node)} where a list of entries is expected`, `write for example ${meta.example}`),
        node,
      );
      return undefined;
    }
    const values = node.items.map((item, i) => reading.at(`${reading.path}[${i}]`).group(entry, item, check));
    const whole = values.filter((value) => value !== undefined);
    return whole.length === node.items.length ? whole : undefined;
  };
  const show = (node: TreeNode) => (node.kind === "list" ? node.items.map((item) => hideSecrets(entry, item)) : plain(node));
  const structure = { kind: "list", entry } as const;
  return define<readonly Values<G>[]>(
    { type: "array", absent: [], read, fromText: structuredFromText(false), structure, show },
    meta,
  );
}

/** A mapping of free names to entries of one shape; the case of names is kept. */
export function entryMap<G extends Group>(
  meta: Meta & { example: string },
  entry: G,
): Option<Readonly<Record<string, Values<G>>>> {
  const read = (node: TreeNode, reading: Reading) => {
    const map = asMap(node, reading, meta.example);
    if (!map) return undefined;
    const values = map.entries.map(({ key, value }) => [key, reading.at(`${reading.path}.${key}`).group(entry, value)] as const);
    const whole = values.filter((pair): pair is readonly [string, Values<G>] => pair[1] !== undefined);
    return whole.length === map.entries.length ? Object.fromEntries(whole) : undefined;
  };
  const structure = { kind: "map", entry } as const;
  return define<Readonly<Record<string, Values<G>>>>(
    { type: "map", absent: {}, read, fromText: structuredFromText(false), structure },
    meta,
  );
}

/** A mapping with a fixed set of fields. `absent` is the value of the fields when left out. */
export function fields<G extends Group>(meta: Meta & { example: string }, entry: G, absent: Values<G>): Option<Values<G>> {
  const read = (node: TreeNode, reading: Reading) => reading.group(entry, node);
  const structure = { kind: "fields", entry } as const;
  return define<Values<G>>({ type: "map", absent, read, fromText: structuredFromText(false), structure }, meta);
}

/** A list of `key=value` texts or `{key, value}` entries. */
export function attributeList(
  meta: Meta & { example: string },
): Option<readonly { readonly key: string; readonly value: string }[]> {
  const remedy = "write key=value, or {key: name, value: text}";
  const readOne = (item: TreeNode, reading: Reading) => {
    const entry = item.kind === "map" ? Object.fromEntries(item.entries.map((e) => [e.key, e.value])) : null;
    const isPair = entry !== null && Object.keys(entry).toSorted().join() === "key,value";
    const values = isPair ? [entry["key"]!, entry["value"]!].map((node) => (node.kind === "scalar" ? node.text : "")) : [];
    if (values[0]) return { key: values[0], value: values[1] ?? "" };
    const match = item.kind === "scalar" && typeof item.value === "string" ? /^([^=]+)=(.*)$/s.exec(item.value) : null;
    if (match) return { key: match[1]!.trim(), value: match[2]!.trim() };
    reading.complain(refuse("is not an attribute", remedy), item);
    return undefined;
  };
  const read = (node: TreeNode, reading: Reading) => {
    if (node.kind !== "list") {
      reading.complain(refuse(`is ${nameOf(node)} where a list is expected`, `write for example ${meta.example}`), node);
      return undefined;
    }
    const values = node.items.map((item, i) => readOne(item, reading.at(`${reading.path}[${i}]`)));
    const whole = values.filter((value) => value !== undefined);
    return whole.length === node.items.length ? whole : undefined;
  };
  const fromText = (value: string, place: Place): TreeNode =>
    value.trim().startsWith("[") ? structuredFromText(false)(value, place) : treeOf(splitList(value), place);
  return define<readonly { readonly key: string; readonly value: string }[]>({ type: "array", absent: [], read, fromText }, meta);
}

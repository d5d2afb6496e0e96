import type { Complaint } from "../parsed.ts";
import type { Place, TreeNode } from "../tree.ts";

/** The type names of the configuration document. */
export type DocumentType = "string" | "boolean" | "number" | "float" | "string[]" | "map" | "map[string]string" | "array";

/** What a reader may know and say while it reads one option. */
export interface Reading {
  /** Dotted path of what is being read, with list positions. */
  readonly path: string;
  /** Relative paths are resolved against it. */
  readonly cwd: string;
  complain(complaint: Complaint, node: TreeNode): void;
  warn(complaint: Complaint, node: TreeNode): void;
  /** The reading of a part of this value. */
  at(path: string): Reading;
  /** Reads a nested group of options; undefined when anything in it is wrong. */
  group<G extends Group>(group: G, node: TreeNode, check?: EntryCheck<G>): Values<G> | undefined;
}

/** A rule between the options of one entry; `complain` takes a path inside the entry. */
export type EntryCheck<G> = (entry: Draft<G>, complain: (path: string, complaint: Complaint) => void) => void;

/** How the entries of a structured option are built. */
export interface Structure {
  /** `fields`: one mapping of fixed options; `list` and `map`: entries of that shape. */
  readonly kind: "fields" | "list" | "map";
  readonly entry: Group;
}

/** One option of the configuration document. `T` is its resolved value. */
export interface Option<T> {
  readonly kind: "option";
  readonly type: DocumentType;
  /** In the document's own form; null is none. */
  readonly default: unknown;
  readonly required: boolean;
  readonly meaning: string;
  /** Hidden in every output. */
  readonly secret: boolean;
  /** Compared with the other secrets; false for addresses that merely carry credentials. */
  readonly mustDiffer: boolean;
  /** Whether this release acts on it, beyond checking it. */
  readonly inEffect: boolean;
  /** A value in YAML, for messages, examples and the manual. */
  readonly example: string;
  /** The allowed values of an enumeration. */
  readonly values: readonly string[] | null;
  readonly structure: Structure | null;
  /** What an absent option resolves to when the document gives no default. */
  readonly absent: T;
  /** An empty value (`key:`) means the empty text instead of an absent option. */
  readonly emptyIsText: boolean;
  /** Gives the resolved value; complains and gives undefined when it is wrong. */
  readonly read: (node: TreeNode, reading: Reading) => T | undefined;
  /** Turns the text of an environment variable into a tree. */
  readonly fromText: (text: string, place: Place) => TreeNode;
  /** The value as printed, with its secret part hidden. */
  readonly show: (node: TreeNode, cwd: string) => unknown;
}

export interface Group {
  readonly [name: string]: Option<unknown> | Group;
}

/** The resolved values of a group: the same nesting and names. */
export type Values<G> = {
  readonly [K in keyof G]: G[K] extends Option<infer T> ? T : Values<G[K]>;
};

/** The values of a group; those that are missing or wrong are undefined. */
export type Draft<G> = {
  readonly [K in keyof G]: G[K] extends Option<infer T> ? T | undefined : Draft<G[K]>;
};

export function isOption(part: Option<unknown> | Group): part is Option<unknown> {
  return part.kind === "option";
}

export interface Leaf {
  readonly path: string;
  readonly keys: readonly string[];
  readonly option: Option<unknown>;
}

/** Every option of a group; fixed fields of a structured option are leaves of their own. */
export function leavesOf(group: Group, prefix: readonly string[] = []): Leaf[] {
  return Object.entries(group).flatMap(([name, part]) => {
    const keys = [...prefix, name];
    if (!isOption(part)) return leavesOf(part, keys);
    if (part.structure?.kind === "fields") return leavesOf(part.structure.entry, keys);
    return [{ path: keys.join("."), keys, option: part }];
  });
}

/** Every option as the document lists it: structured options themselves, and `name[].field` for entries of lists. */
export function documentedOptions(group: Group, prefix = ""): { path: string; option: Option<unknown> }[] {
  return Object.entries(group).flatMap(([name, part]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (!isOption(part)) return documentedOptions(part, path);
    const inner = part.structure?.kind === "list" ? documentedOptions(part.structure.entry, `${path}[]`) : [];
    return [{ path, option: part }, ...inner];
  });
}

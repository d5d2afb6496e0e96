import type { Complaint } from "../parsed.ts";
import type { Place, TreeNode } from "../tree.ts";

/** The type names of the configuration document. */
export type DocumentType = "string" | "boolean" | "number" | "float" | "string[]" | "map" | "map[string]string" | "array";

/** The context of reading one option. */
export interface Reading {
  /** Dotted path of the value, with list indexes. */
  readonly path: string;
  /** Relative paths are resolved against it. */
  readonly cwd: string;
  complain(complaint: Complaint, node: TreeNode): void;
  warn(complaint: Complaint, node: TreeNode): void;
  /** The context for a nested value. */
  at(path: string): Reading;
  /** Reads a nested group of options; undefined if anything in it is invalid. */
  group<G extends Group>(group: G, node: TreeNode, check?: EntryCheck<G>): Values<G> | undefined;
}

/** A rule between the options of one entry; `complain` expects a path within the entry. */
export type EntryCheck<G> = (entry: Draft<G>, complain: (path: string, complaint: Complaint) => void) => void;

/** The structure of an option with nested options. */
export interface Structure {
  /** `fields`: one mapping of fixed options; `list` and `map`: entries of that shape. */
  readonly kind: "fields" | "list" | "map";
  readonly entry: Group;
}

/** One option of the configuration document. `T` is its resolved value. */
export interface Option<T> {
  readonly kind: "option";
  readonly type: DocumentType;
  /** As in the document; null without a default. */
  readonly default: unknown;
  readonly required: boolean;
  readonly meaning: string;
  /** Masked in every output. */
  readonly secret: boolean;
  /** Whether it must differ from other secrets; false for URLs that merely contain credentials. */
  readonly mustDiffer: boolean;
  /** Whether this release uses the option, and does not only validate it. */
  readonly inEffect: boolean;
  /** Whether Rollcall adds it to the interface of docs/spec; it then has no effect unless it is set. */
  readonly own: boolean;
  /** A value in YAML, for messages, examples and the manual. */
  readonly example: string;
  /** The allowed values of an enumeration. */
  readonly values: readonly string[] | null;
  readonly structure: Structure | null;
  /** The value of an absent option without a default. */
  readonly absent: T;
  /** An empty value (`key:`) means the empty text instead of an absent option. */
  readonly emptyIsText: boolean;
  /** Returns the resolved value; reports a problem and returns undefined if it is invalid. */
  readonly read: (node: TreeNode, reading: Reading) => T | undefined;
  /** Parses the text of an environment variable to a tree. */
  readonly fromText: (text: string, place: Place) => TreeNode;
  /** The value for printing, with masked secrets. */
  readonly show: (node: TreeNode, cwd: string) => unknown;
}

export interface Group {
  readonly [name: string]: Option<unknown> | Group;
}

/** The resolved values of a group: the same nesting and names. */
export type Values<G> = {
  readonly [K in keyof G]: G[K] extends Option<infer T> ? T : Values<G[K]>;
};

/** The values of a group; missing or invalid ones are undefined. */
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

/** Every option of a group; fixed fields of a structured option are separate leaves. */
export function leavesOf(group: Group, prefix: readonly string[] = []): Leaf[] {
  return Object.entries(group).flatMap(([name, part]) => {
    const keys = [...prefix, name];
    if (!isOption(part)) return leavesOf(part, keys);
    if (part.structure?.kind === "fields") return leavesOf(part.structure.entry, keys);
    return [{ path: keys.join("."), keys, option: part }];
  });
}

/** Every option as documented: structured options themselves, and `name[].field` for entries of lists. */
export function documentedOptions(group: Group, prefix = ""): { path: string; option: Option<unknown> }[] {
  return Object.entries(group).flatMap(([name, part]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (!isOption(part)) return documentedOptions(part, path);
    const inner = part.structure?.kind === "list" ? documentedOptions(part.structure.entry, `${path}[]`) : [];
    return [{ path, option: part }, ...inner];
  });
}

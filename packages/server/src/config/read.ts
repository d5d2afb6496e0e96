import type { Finding } from "./finding.ts";
import { nearestName } from "#core/nearest.ts";
import { schema } from "./schema/index.ts";
import {
  documentedOptions,
  isOption,
  type Draft,
  type EntryCheck,
  type Group,
  type Option,
  type Reading,
  type Values,
} from "./schema/option.ts";
import { nameOf } from "./schema/kinds.ts";
import { child, isNull, treeOf, type Place, type TreeNode } from "./tree.ts";
import { placeOf } from "./walk.ts";

export interface Findings {
  readonly problems: Finding[];
  readonly warnings: Finding[];
  /** What is as it should be, and worth knowing. */
  readonly hints: Finding[];
}

interface Where {
  readonly path: string;
  /** Position of the nearest existing parent. */
  readonly parent: Place;
  /** The section is misspelt or malformed, which is already reported: its options are not reported as missing. */
  readonly isMisread?: boolean;
}

/** Reads every option of the document; invalid ones are reported to `findings` and left undefined. */
export function readTree(tree: TreeNode, cwd: string, findings: Findings): Draft<typeof schema> {
  const reader = new GroupReader(cwd, findings);
  return reader.read(schema, tree, { path: "", parent: tree.place }).values as Draft<typeof schema>;
}

class GroupReader {
  readonly #cwd: string;
  readonly #findings: Findings;

  constructor(cwd: string, findings: Findings) {
    this.#cwd = cwd;
    this.#findings = findings;
  }

  read(group: Group, node: TreeNode | null, where: Where): { values: Record<string, unknown> } {
    const given = node !== null && !isNull(node) ? node : null;
    const isMisread = where.isMisread === true || (given !== null && given.kind !== "map");
    if (given !== null && given.kind !== "map") {
      this.#report(
        given.place,
        where.path,
        `is ${nameOf(given)} where a section is expected`,
        "write its options indented below it",
      );
    }
    const meant = this.#reportUnknown(group, given, where);
    const values: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(group)) {
      const path = where.path === "" ? name : `${where.path}.${name}`;
      const entry = child(given, name);
      const below = {
        path,
        parent: entry?.keyPlace ?? where.parent,
        isMisread: isMisread || (entry === null && meant.has(name)),
      };
      if (isOption(part)) values[name] = this.#readOption(part, entry?.value ?? null, { ...below, parent: where.parent });
      else values[name] = this.read(part, entry?.value ?? null, below).values;
    }
    return { values };
  }

  #readOption(option: Option<unknown>, written: TreeNode | null, where: Where): unknown {
    const isBlank = written !== null && isNull(written);
    const node = isBlank && option.emptyIsText ? treeOf("", written.place) : written;
    if (node !== null && !isNull(node)) return option.read(node, this.#reading(where.path));
    if (option.required && where.isMisread) return undefined;
    if (option.required) {
      const key = where.path.slice(where.path.lastIndexOf(".") + 1);
      this.#report(
        written?.place ?? where.parent,
        where.path,
        isBlank ? "is empty" : "is missing",
        `write ${key}: ${option.example}`,
      );
      return undefined;
    }
    return option.default === null
      ? option.absent
      : option.read(treeOf(option.default, { kind: "default" }), this.#reading(where.path));
  }

  #reading(path: string): Reading {
    const { problems, warnings } = this.#findings;
    return {
      path,
      cwd: this.#cwd,
      complain: (complaint, node) => problems.push({ ...complaint, path, place: node.place }),
      warn: (complaint, node) => warnings.push({ ...complaint, path, place: node.place }),
      at: (inner) => this.#reading(inner),
      group: <G extends Group>(group: G, node: TreeNode, check?: EntryCheck<G>) => {
        const before = problems.length;
        const { values } = this.read(group, node, { path, parent: node.place });
        check?.(values as Draft<G>, (inner, { what, instead }) =>
          this.#report(placeOf(node, inner), `${path}.${inner}`, what, instead),
        );
        return problems.length === before ? (values as Values<G>) : undefined;
      },
    };
  }

  /** Reports unknown keys; returns the absent options that they most likely mean. */
  #reportUnknown(group: Group, node: TreeNode | null, where: Where): ReadonlySet<string> {
    const meant = new Set<string>();
    if (node?.kind !== "map") return meant;
    for (const { key, keyPlace } of node.entries) {
      if (Object.hasOwn(group, key)) continue;
      const path = where.path === "" ? key : `${where.path}.${key}`;
      const absent = Object.keys(group).filter((name) => child(node, name) === null);
      const sibling = nearestName(key, absent) ?? nearestName(key, Object.keys(group));
      if (sibling !== null) meant.add(sibling);
      this.#report(
        keyPlace,
        path,
        "is not a known option",
        sibling === null ? unknownRemedy(key, group, where.path) : `write ${sibling}`,
      );
    }
    return meant;
  }

  #report(place: Place, path: string, what: string, instead: string): void {
    this.#findings.problems.push({ place, path, what, instead });
  }
}

function unknownRemedy(key: string, group: Group, section: string): string {
  const elsewhere = documentedOptions(schema).find(({ path }) => path.split(".").at(-1)?.toLowerCase() === key.toLowerCase());
  if (elsewhere) return `write it in its section: ${elsewhere.path}`;
  return section === "" ? "remove it" : `remove it; known here are ${Object.keys(group).join(", ")}`;
}

import { type Atrule, type AtrulePrelude, type CssNode, type Declaration, generate, parse, type Rule, walk } from "css-tree";
import type { Identifier as Part } from "@mdn/browser-compat-data";
import { byName, knowledge, supported, within } from "./browser103.support.ts";

const [properties, selectors, types, atRules] = ["properties", "selectors", "types", "at-rules"].map((name) =>
  within(knowledge.css, name),
);
const media = within(atRules, "media");
const lengths = within(types, "length");

/** Functions and units by name. */
const functions = byName(types ?? {});

/** Units whose entry has no name of its own. */
const unitEntry = (unit: string): string | undefined =>
  /^[dls]v(?:[hwbi]|min|max)$/.test(unit)
    ? `viewport_percentage_units_${{ d: "dynamic", l: "large", s: "small" }[unit[0] as "d" | "l" | "s"]}`
    : /^cq(?:[hwbi]|min|max)$/.test(unit)
      ? "container_query_length_units"
      : undefined;

const prefix = /^-(?:webkit|moz|ms|o)-/;
const unprefixed = (name: string) => name.replace(prefix, "");

/** Known prefixed names have an entry of their own, or are a variant of the one without prefix. */
function has(group: Part | undefined, name: string): boolean | undefined {
  return supported(within(group, name), name) ?? supported(within(group, unprefixed(name)), name);
}

function valueFaults(declaration: Declaration): string[] {
  const property = within(properties, unprefixed(declaration.property));
  const found: string[] = [];
  walk(declaration.value, (node: CssNode) => {
    if (node.type === "Function") {
      const name = node.name.toLowerCase();
      // A function of one property, such as fit-content(), has its entry there.
      const entry =
        within(property, `${name}_function`) ??
        functions.get(`${name}-function`) ??
        within(property, name) ??
        functions.get(name) ??
        functions.get(unprefixed(name));
      if (supported(entry, name) === false) found.push(`${declaration.property}: ${name}()`);
      if (/^(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?$/.test(name) && generate(node).startsWith(`${name}(from `))
        found.push(`${declaration.property}: ${name}(from)`);
    } else if (node.type === "Dimension") {
      const unit = node.unit.toLowerCase();
      const entry = within(lengths, unitEntry(unit) ?? unit);
      if (supported(entry, unit) === false) found.push(`${declaration.property}: unit ${unit}`);
    } else if (node.type === "Identifier" && supported(within(property, node.name), node.name) === false) {
      found.push(`${declaration.property}: ${node.name}`);
    }
  });
  return found;
}

const names = (node: CssNode): string[] => {
  const found: string[] = [];
  walk(node, (part: CssNode) => {
    if (part.type === "PseudoClassSelector" || part.type === "PseudoElementSelector") {
      const name = part.name.toLowerCase();
      const known = has(selectors, name);
      if (known === false || (known === undefined && prefix.test(name)))
        found.push(`${part.type === "PseudoClassSelector" ? ":" : "::"}${name}`);
    } else if (part.type === "NestingSelector") found.push("nesting");
  });
  return found;
};

function preludeFaults({ name, prelude }: { name: string; prelude: AtrulePrelude | null }): string[] {
  const found: string[] = [];
  if (name !== "media" || prelude === null) return found;
  walk(prelude, (node: CssNode) => {
    if (node.type === "FeatureRange" && supported(within(media, "range_syntax"), "") === false) found.push("@media range");
    if (node.type === "Feature" && supported(within(media, node.name.replace(/^(?:min|max)-/, "")), node.name) === false)
      found.push(`@media (${node.name})`);
  });
  return found;
}

/** Whether the browser ignores these lines unless it supports what they contain. */
const guarded = ({ name, prelude }: Atrule) => name === "supports" && prelude !== null && !/^\s*not\b/i.test(generate(prelude));

class Scan {
  readonly found: string[] = [];
  /** Declarations of each rule that Chromium 103 understands: what it falls back to when it ignores a later one. */
  readonly #understood = new Map<Rule | null, Set<string>>();

  declaration(node: Declaration, rule: Rule | null): void {
    const own = node.property.startsWith("--");
    const understood = this.#understood.get(rule) ?? new Set();
    this.#understood.set(rule, understood);
    const found = own ? [] : has(properties, node.property) === false ? [`property ${node.property}`] : [];
    if (found.length === 0) found.push(...valueFaults(node));
    if (found.length === 0) understood.add(node.property);
    // Of a declaration with var() a browser decides too late to fall back.
    const replaced =
      !own && (understood.has(node.property) || understood.has(`-webkit-${node.property}`)) && !generate(node).includes("var(");
    if (!replaced) this.found.push(...found);
  }

  atRule(node: Atrule): void {
    const name = node.name.toLowerCase();
    if (has(atRules, name) === false) this.found.push(`@${name}`);
    this.found.push(...preludeFaults({ name, prelude: node.prelude as AtrulePrelude | null }));
  }
}

/**
 * What Chromium 103 does not support in a style sheet, one name each, by the data of MDN: `:has`,
 * `@container`, `property translate`, `color-mix()`, `unit dvh`, `overflow: clip`, `nesting`.
 * Not reported: what stands in `@supports`, and a declaration after one for the same property that works.
 */
export function unsupportedCss(css: string): string[] {
  const scan = new Scan();
  const open: CssNode[] = [];
  const tree = parse(css, {
    parseCustomProperty: true,
    onParseError: (error) => scan.found.push(`unreadable: ${error.message}`),
  });
  const ruleAround = () => open.findLast((node): node is Rule => node.type === "Rule") ?? null;
  walk(tree, {
    enter(node: CssNode) {
      if (node.type === "Atrule") {
        if (guarded(node)) return walk.skip;
        scan.atRule(node);
        if (ruleAround() !== null) scan.found.push("nesting");
      } else if (node.type === "Rule") {
        if (ruleAround() !== null) scan.found.push("nesting");
        scan.found.push(...names(node.prelude));
      } else if (node.type === "Declaration") {
        scan.declaration(node, ruleAround());
        return walk.skip;
      }
      open.push(node);
      return undefined;
    },
    leave(node: CssNode) {
      if (open.at(-1) === node) open.pop();
    },
  });
  return [...new Set(scan.found)];
}

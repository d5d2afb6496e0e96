import type { Plugin } from "vite";

/** The part of PostCSS's style sheet tree, as Vite's CSS pipeline passes it to plugins, that is used here. */
interface Declaration {
  prop: string;
  value: string;
  clone(change: { prop: string; value: string }): Declaration;
  replaceWith(other: Declaration): void;
}
interface Rule {
  selectors: string[];
  remove(): void;
}
interface Root {
  readonly source?: { readonly input: { readonly file?: string } };
  walkAtRules(name: string, visit: (rule: Rule) => void): void;
  walkRules(visit: (rule: Rule) => void): void;
  walkDecls(prop: string, visit: (declaration: Declaration) => void): void;
}

/** The in-game tablet is Chromium 103. What its CSS lacks is rewritten here; `npm run checkers` scans the build for the rest. */

const UNIT = /(\d*\.?\d+)([dsl])v([hw])\b/g;

function replaceUnits(text: string): string {
  return text.replace(UNIT, (_all, amount: string, _kind: string, axis: string) => `calc(${amount} * var(--dv${axis}))`);
}

/**
 * Dynamic viewport units become multiples of `--dvh` and `--dvw`, which the theme defines for both
 * kinds of browser: a fallback declaration does not work once a value contains `var()`.
 */
export function viewportUnitsInScripts(): Plugin {
  return {
    name: "rollcall-viewport-units",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/@mantine/") || !/\d[dsl]v[hw]/.test(code)) return null;
      return { code: replaceUnits(code), map: null };
    },
  };
}

export function chromium103Css() {
  return {
    postcssPlugin: "rollcall-chromium-103",
    Declaration(declaration: Declaration) {
      if (/\d[dsl]v[hw]\b/.test(declaration.value) && !declaration.prop.startsWith("--dv")) {
        declaration.value = replaceUnits(declaration.value);
      }
    },
    OnceExit(root: Root) {
      const vendor = root.source?.input.file?.includes("node_modules") ?? false;
      if (!vendor) return;
      root.walkAtRules("container", (rule) => rule.remove());
      root.walkRules(dropHas);
      root.walkDecls("translate", translateToTransform);
    },
  };
}

/** Chromium 103 drops a whole rule because of one unknown selector. */
function dropHas(rule: Rule): void {
  const kept = rule.selectors.filter((selector) => !selector.includes(":has("));
  if (kept.length === 0) rule.remove();
  else if (kept.length < rule.selectors.length) rule.selectors = kept;
}

function translateToTransform(declaration: Declaration): void {
  const [x = "0", y = "0"] = declaration.value.split(/\s+/);
  declaration.replaceWith(declaration.clone({ prop: "transform", value: `translate(${x}, ${y})` }));
}

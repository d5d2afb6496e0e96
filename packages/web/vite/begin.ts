import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { minifySync, type Plugin } from "vite";
import { LANGUAGES } from "./texts.ts";

/** The part of a chunk of the bundler that is used here. */
export interface BuiltChunk {
  readonly fileName: string;
  readonly isEntry: boolean;
  readonly moduleIds: readonly string[];
  /** File names of the chunks that are loaded with this one. */
  readonly imports: readonly string[];
  readonly css: readonly string[];
}

export interface PageSource {
  readonly path: string;
  readonly texts: readonly string[];
  readonly file: string;
}

/** What the server writes into the page, so that the browser asks for it before any script has run. */
export interface Preloads {
  /** Elements of the head. */
  readonly links: string;
  /** Files with texts: those of each language, divided by `|`, in the order of `LANGUAGES`. */
  readonly texts: string;
}

/** The pages with an address of their own, and what they load, as `*.pages.tsx` declares it. */
export function pageSources(root: string): readonly PageSource[] {
  const route = /path: "(\/[^"$]*)",\s*(?:validateSearch[^\n]+,\s*)?component: page\(\[([^\]]*)\],[^;]*?import\("\.\/([^"]+)"\)/g;
  return globSync(join(root, "src/features/*/*.pages.tsx"))
    .toSorted()
    .flatMap((from) =>
      [...readFileSync(from, "utf8").matchAll(route)].map(([, path, texts, file]) => ({
        path: path!,
        texts: [...texts!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!),
        file: join(dirname(from), file!),
      })),
    );
}

/** What every page of the application loads, whatever its address. */
const FRAME = { texts: ["frame"], files: ["src/application.tsx", "src/core/accountPreferences.ts"] };

/**
 * By the address that a page is at or below; the empty one is of all others, and `none` of a browser without a session.
 */
export function preloadsOf(root: string, chunks: readonly BuiltChunk[], pages: readonly PageSource[]): Record<string, Preloads> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const holding = (id: string) => {
    const found = chunks.find(({ moduleIds }) => moduleIds.includes(id));
    if (found === undefined) throw new Error(`no chunk has ${id}`);
    return found.fileName;
  };
  const closure = (names: readonly string[]) => {
    const all = new Set(names);
    for (const name of all) for (const imported of byName.get(name)?.imports ?? []) all.add(imported);
    return [...all];
  };
  // Those of the page itself.
  const loaded = new Set(closure(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)));
  const added = (ids: readonly string[]) => closure(ids.map(holding)).filter((name) => !loaded.has(name));
  const texts = (names: readonly string[]) =>
    LANGUAGES.map((language) => {
      const bundles = [`\0virtual:texts/${language}`, ...names.map((name) => `\0virtual:texts/${language}/${name}`)];
      return added(bundles)
        .map((name) => name.replace(/^assets\//, ""))
        .join(" ");
    }).join("|");
  const needed = (names: readonly string[], files: readonly string[]): Preloads => {
    const scripts = added([...FRAME.files.map((file) => join(root, file)), ...files]);
    const styles = new Set(scripts.flatMap((name) => byName.get(name)?.css ?? []));
    return {
      // Below what is painted first: the outline and the style sheet.
      links: [
        ...scripts.map((name) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${name}" />`),
        ...[...styles].map((name) => `<link rel="preload" as="style" crossorigin href="/${name}" />`),
      ].join(""),
      texts: texts([...FRAME.texts, ...names]),
    };
  };
  const none = { links: "", texts: texts([]) };
  return {
    none,
    "": needed([], []),
    ...Object.fromEntries(outerAddresses(root).map((path) => [path, none])),
    ...Object.fromEntries(pages.map(({ path, texts: names, file }) => [path, needed(names, [file])])),
  };
}

/** Read as text: the table of outer pages is a module of the browser. */
function outerAddresses(root: string): readonly string[] {
  const table = readFileSync(join(root, "src/core/session/outer.ts"), "utf8");
  return [...table.matchAll(/\{ page: "\w+", at: "([^"]+)" \}/g)].map(([, at]) => at!);
}

/**
 * Sets the colour scheme before the first paint, and asks for what the page needs. Its Content-Security-Policy allows no
 * inline script, so the few lines are an asset of their own.
 */
export function beginBeforePaint(root: string): Plugin {
  const source = ["scheme.js", "begin.js"].map((file) => readFileSync(join(root, "src", file), "utf8")).join("\n");
  const { code } = minifySync(
    "begin.js",
    source.replace("OUTER)", () => `${JSON.stringify(outerAddresses(root))})`),
  );
  const name = `assets/begin-${createHash("sha256").update(code).digest("base64url").slice(0, 8)}.js`;
  return {
    name: "rollcall-begin",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((one) =>
        one.type === "chunk" ? [{ ...builtChunk(one), css: [...(one.viteMetadata?.importedCss ?? [])] }] : [],
      );
      this.emitFile({ type: "asset", fileName: name, source: code });
      const preloads = preloadsOf(root, chunks, pageSources(root));
      this.emitFile({ type: "asset", fileName: "index.html.preloads.json", source: JSON.stringify(preloads) });
    },
    transformIndexHtml: {
      order: "post",
      handler: (html) => {
        const sheet = /<link rel="stylesheet"[^>]*>/;
        const [link = ""] = sheet.exec(html) ?? [];
        const polyfills = /<script type="module" crossorigin src="([^"]*\/polyfills-[^"]*)"><\/script>/;
        const [, address] = polyfills.exec(html) ?? [];
        if (address === undefined) throw new Error("index.html loads no polyfills: see vite/begin.ts");
        return (
          html
            // Before the style sheets, for which it would wait, and after what the server writes into the page.
            .replace(
              "<!-- begin -->",
              `<meta name="rollcall-polyfills" content="${address}" />\n    <script src="/${name}"></script>`,
            )
            .replace(polyfills, "")
            // For no medium until the scripts draw something: the outline is painted without it (`core/firstStyles.ts`).
            .replace(
              sheet,
              `${link.replace("stylesheet", "preload").replace(">", ' as="style">')}__PRELOADS__\n    ${link.replace(">", ' media="not all" data-first>')}`,
            )
        );
      },
    },
  };
}

const builtChunk = ({ fileName, isEntry, moduleIds, imports }: Omit<BuiltChunk, "css">) => ({
  fileName,
  isEntry,
  moduleIds,
  imports,
});

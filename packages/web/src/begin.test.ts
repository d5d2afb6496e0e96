import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, it, test } from "vitest";
import { type BuiltChunk, pageSources, preloadsOf } from "../vite/begin.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const script = readFileSync(new URL("begin.js", import.meta.url), "utf8").replace("OUTER", '["/register"]');

interface Browser {
  readonly device?: Record<string, unknown>;
  readonly tab?: Record<string, unknown>;
  readonly session?: string;
  readonly origins?: string;
  readonly pathname?: string;
  readonly search?: string;
  /** Has all that the application uses. */
  readonly modern?: boolean;
}

/** What the script asks for in a browser that keeps these values. */
function begun({
  device = {},
  tab = {},
  session = "",
  origins = "",
  pathname = "/citizens",
  search = "",
  modern = true,
}: Browser) {
  const metas: Record<string, string> = {
    session,
    origins,
    texts: "en-1.js frame-1.js|de-1.js frame-2.js",
    polyfills: "/assets/p.js",
  };
  const written: string[] = [];
  const storage = (values: Record<string, unknown>) => ({
    getItem: (name: string) => (name in values ? JSON.stringify(values[name]) : null),
  });
  const links: string[] = [];
  const calls: string[] = [];
  const dataset: Record<string, string> = {};
  runInNewContext(script, {
    document: {
      querySelector: (selector: string) => ({ content: metas[/rollcall-(\w+)/.exec(selector)?.[1] ?? ""] }),
      createElement: () => ({}),
      documentElement: { dataset },
      head: { append: ({ href }: { href: string }) => links.push(href) },
      write: (html: string) => written.push(html),
    },
    Array,
    URL: modern ? URL : {},
    Iterator: modern ? Iterator : undefined,
    localStorage: storage(device),
    sessionStorage: storage(tab),
    location: { origin: "https://a.example", pathname, search },
    navigator: { language: "en-US" },
    AbortController,
    fetch: async (url: string, { method, body = "" }: { method: string; body?: string }) =>
      void calls.push(`${method} ${url} ${body}`),
  });
  return { links, calls, outline: dataset["outline"], written };
}

const signedIn = { "rollcall.signedIn": true, "rollcall.last": 12 };
const english = ["/assets/en-1.js", "/assets/frame-1.js"];

describe("before the first paint", () => {
  it("asks for the token of the last character and for the texts, and shows the outline", () => {
    const token = 'POST /api/auth/token {"characterId":12}';
    expect(begun({ device: signedIn })).toEqual({ links: english, calls: [token], outline: " ", written: [] });
    expect(begun({ device: signedIn, tab: { "rollcall.last": 13 } }).calls).toEqual([token.replace("12", "13")]);
    expect(begun({ device: { "rollcall.signedIn": true } })).toMatchObject({
      calls: ["GET /api/auth/characters "],
      outline: undefined,
    });
  });

  it("takes the chosen language and the size of the frame", () => {
    const chosen = { ...signedIn, "rollcall.preferences": { language: "de", navigationCollapsed: true } };
    const { links, outline } = begun({ device: chosen, search: "?tablet=1" });
    expect(links).toEqual(["/assets/de-1.js", "/assets/frame-2.js"]);
    expect(outline).toBe("large narrow");
  });

  it("loads what an older browser lacks in front of the scripts, and only there", () => {
    expect(begun({ modern: false }).written).toEqual(['<script type="module" crossorigin src="/assets/p.js"></script>']);
  });

  it("asks nothing about a session where there is none, and where the server would refuse it", () => {
    const nothing = { links: english, calls: [], outline: undefined, written: [] };
    expect(begun({})).toEqual(nothing);
    expect(begun({ device: signedIn, session: "none" })).toEqual(nothing);
    expect(begun({ device: signedIn, origins: "https://b.example" })).toEqual(nothing);
    expect(begun({ device: signedIn, origins: "https://b.example https://A.example" }).calls).toHaveLength(1);
    expect(begun({ device: signedIn, pathname: "/register" }).outline).toBeUndefined();
  });
});

test("each page with an address of its own is found, with its texts", () => {
  const pages = pageSources(root);
  expect(pages).toContainEqual({ path: "/citizens", texts: ["citizens"], file: `${root}src/features/citizens/citizens.tsx` });
  // Those with a part in the address open from a list, whose chunks they are in.
  const declared = globSync(`${root}src/features/*/*.pages.tsx`).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:path: |\[)"(\/[^"$]+)"/g)].map(([, path]) => path),
  );
  expect(declared.length).toBeGreaterThan(15);
  expect(declared.filter((path) => !pages.some((page) => page.path === path))).toEqual([]);
});

test("a page loads what its chunk imports, without what every page has", () => {
  const chunk = (name: string, moduleIds: string[], imports: string[] = [], css: string[] = []): BuiltChunk => ({
    fileName: `assets/${name}.js`,
    isEntry: name === "first",
    moduleIds,
    imports: imports.map((one) => `assets/${one}.js`),
    css,
  });
  const texts = ["en", "de"].flatMap((language) => [
    chunk(language, [`\0virtual:texts/${language}`], ["first"]),
    ...["frame", "notes"].map((name) => chunk(`${language}-${name}`, [`\0virtual:texts/${language}/${name}`])),
  ]);
  const chunks = [
    chunk("first", [`${root}src/main.tsx`], ["base"]),
    chunk("base", []),
    chunk("frame", [`${root}src/application.tsx`, `${root}src/core/accountPreferences.ts`], ["first"], ["assets/frame.css"]),
    chunk("notes", ["notes.tsx"], ["frame", "lists", "base"]),
    chunk("lists", []),
    ...texts,
  ];
  const preloads = preloadsOf(root, chunks, [{ path: "/notes", texts: ["notes"], file: "notes.tsx" }]);
  const hrefs = (at: string) => [...(preloads[at]?.links ?? "").matchAll(/href="\/assets\/([^"]+)"/g)].map(([, name]) => name);
  expect(hrefs("/notes")).toEqual(["frame.js", "notes.js", "lists.js", "frame.css"]);
  expect(hrefs("")).toEqual(["frame.js", "frame.css"]);
  expect(preloads["/notes"]?.texts).toBe("en.js en-frame.js en-notes.js|de.js de-frame.js de-notes.js");
  expect(preloads["none"]).toEqual({ links: "", texts: "en.js|de.js" });
  expect(preloads["/setup"]).toEqual(preloads["none"]);
});

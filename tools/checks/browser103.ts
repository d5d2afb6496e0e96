import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Check } from "./check.ts";
import { unsupportedCss } from "./browser103.css.ts";
import { unsupportedScripts } from "./browser103.script.ts";
import { root } from "./repository.ts";

/** Something that Chromium 103 lacks and that may stay: what the scan calls it, and why it does no harm. */
interface Exception {
  readonly what: string;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  { what: "property scrollbar-width", why: "Scroll bars keep their usual width." },
  { what: "property scrollbar-color", why: "Scroll bars keep their usual colours." },
  { what: "property overscroll-behavior", why: "It works, except where nothing can scroll." },
  { what: "property text-wrap", why: "Lines break where they fit, instead of in equal lengths." },
  { what: "property text-box-trim", why: "Text stands with its usual distance to the line." },
  { what: "property text-box-edge", why: "Only text-box-trim uses it." },
  { what: "clip: rect()", why: "The old function of the property clip; MDN dates the one of clip-path." },
  { what: "-webkit-background-clip: text", why: "The prefixed form is understood." },
  { what: "background-clip: text", why: "It follows the prefixed form in the same rule." },
  {
    what: "::-webkit-outer-spin-button",
    why: "Every Chromium has it, but MDN does not list it; its rule has no other selector.",
  },
  {
    what: "::-webkit-search-decoration",
    why: "Every Chromium has it, but MDN does not list it; its rule has no other selector.",
  },
  { what: "::-webkit-search-results-decoration", why: "MDN does not list it; its rule has no other selector." },
  { what: "::-ms-reveal", why: "A button of Edge; its rule has no other selector." },
  { what: "URL.canParse", why: "The polyfills of the build add it; the check sees only those of the language." },
  { what: "Permissions.prototype.revoke", why: "The library calls this on what Proxy.revocable returned." },
];

/** A built web application: the text of each script and style sheet by file name, and the name of the polyfills. */
export interface Build {
  readonly files: ReadonlyMap<string, string>;
  readonly polyfills: string;
}

/** One line for what Chromium 103 lacks in each file, and for each exception that nothing needs. */
export function browser103Faults({ files, polyfills }: Build, allowed: readonly Exception[] = exceptions): readonly string[] {
  const scripts = new Map([...files].filter(([file]) => file.endsWith(".js") && file !== polyfills));
  const uses = [
    ...[...files].filter(([file]) => file.endsWith(".css")).map(([file, css]) => [file, unsupportedCss(css)] as const),
    ...unsupportedScripts(scripts, files.get(polyfills) ?? ""),
  ].flatMap(([file, names]) => names.map((what) => ({ file, what })));
  const faults = uses.filter(({ what }) => !allowed.some((one) => one.what === what));
  const idle = allowed.filter(({ what }) => !uses.some((use) => use.what === what));
  return [
    ...faults.map(({ file, what }) => `${file}: Chromium 103 lacks ${what}`),
    ...idle.map(({ what }) => `${what}: nothing uses this any more, delete the exception`),
  ];
}

async function readBuild(): Promise<Build> {
  const folder = path.join(root, "packages/web/dist/assets");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.(?:js|css)$/.test(name));
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8")] as const)),
  );
  return { files, polyfills: names.find((name) => /^polyfills-.*\.js$/.test(name)) ?? "" };
}

export const check: Check = {
  name: "built web application for Chromium 103 (@mdn/browser-compat-data)",
  async faults() {
    const build = await readBuild();
    return build.polyfills === ""
      ? ["packages/web/dist holds no build with polyfills: run npm run build"]
      : browser103Faults(build);
  },
};

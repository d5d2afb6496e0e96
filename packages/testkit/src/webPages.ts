import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyRoute, createRootRoute, createRouter } from "@tanstack/react-router";

const web = path.resolve(import.meta.dirname, "../../web/src");

/** Values for the parameters of paths. */
const parameters: Readonly<Record<string, string>> = { id: "12", section: "sessions" };

interface Registered {
  routes(parent: AnyRoute): AnyRoute[];
}

/** The paths of all pages that features register in `<x>.pages.tsx`, with parameters as `$id`, in alphabetical order. */
export async function pagePatterns(): Promise<readonly string[]> {
  const root = createRootRoute();
  const modules = await Promise.all(
    globSync("features/*/*.pages.tsx", { cwd: web }).map(
      async (file) => (await import(pathToFileURL(path.join(web, file)).href)) as Record<string, Registered>,
    ),
  );
  const routes = modules.flatMap((exported) => Object.values(exported).flatMap((pages) => pages.routes(root)));
  const { routesByPath } = createRouter({ routeTree: root.addChildren(routes) });
  return Object.keys(routesByPath).toSorted();
}

/** `pagePatterns` with values in place of parameters. Throws for a parameter without a value. */
export async function pagePaths(): Promise<readonly string[]> {
  return (await pagePatterns()).map((pattern) =>
    pattern.replace(/\$(\w+)/g, (_whole, name: string) => {
      const value = parameters[name];
      if (value === undefined) throw new Error(`webPages.ts has no value for $${name} of ${pattern}`);
      return value;
    }),
  );
}

/** The patterns of pages that none of these paths leads to. */
export function unvisited(patterns: readonly string[], paths: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => {
    const fits = new RegExp(`^${pattern.replace(/\$\w+/g, "[^/]+")}/?$`);
    return !paths.some((one) => fits.test(one));
  });
}

import type { Plugin } from "vite";

const EFFECT =
  /useIsomorphicEffect\(\(\) => \{\s*if \(hasInitializedRef\.current\) return;[^}]*setUuid\(randomId\(\)\);\s*\}, \[\]\);/;

/**
 * Mantine replaces the id that React gave a field by a random one as soon as the field is on the page, also where it was
 * given an id: each page with a field is then drawn twice, the second time in one long task. React's own id is unique.
 */
export function mantineIds(): Plugin {
  return {
    name: "rollcall-mantine-ids",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/@mantine/hooks/esm/use-id/use-id.mjs")) return null;
      if (!EFFECT.test(code)) throw new Error("Mantine does not make its ids as before: see vite/mantineIds.ts");
      return { code: code.replace(EFFECT, ""), map: null };
    },
  };
}

import type { Rule } from "./rule.ts";
import type { Source } from "./source.ts";

/** The files of one circle of imports, imports of types included, or null. */
function circleFrom(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const seen = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] | null => {
    for (const next of imports.get(file) ?? []) {
      if (next === start) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...path, next]);
      if (found) return found;
    }
    return null;
  };
  return walk(start, [start]);
}

/** Two files that import each other are one file in two places, even if one of them needs only a type. */
export const noCircles: Rule = {
  name: "15 no circle of imports, not even of types",
  check(sources: readonly Source[]) {
    const files = new Set(sources.map(({ path }) => path));
    const imports = new Map(
      sources.map(({ path, imports: all }) => [path, all.map(({ target }) => target).filter((target) => files.has(target))]),
    );
    const reported = new Set<string>();
    return sources.flatMap(({ path }) => {
      if (reported.has(path)) return [];
      const circle = circleFrom(path, imports);
      if (circle === null) return [];
      circle.forEach((file) => reported.add(file));
      return [{ rule: this.name, path, problem: circle.join(" -> ") }];
    });
  },
};

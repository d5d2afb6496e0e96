import { noCircles } from "./circles.ts";
import type { Import, Source } from "./source.ts";
import { fieldWords } from "./words.ts";
import type { Rule } from "./rule.ts";

const isStates = (file: string) => file.endsWith(".states.ts");
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.endsWith("testkit.ts") || isStates(file);
const areaOf = (file: string) => (file.includes("/") ? (file.split("/", 1)[0] ?? "") : "root");
const featureOf = (file: string) => /^features\/([\w-]+)\//.exec(file)?.[1] ?? null;

const perImport = (name: string, problem: (source: Source, one: Import) => string | null): Rule => ({
  name,
  check: (sources) =>
    sources
      .filter(({ path }) => !isTest(path))
      .flatMap((source) =>
        source.imports.flatMap((one) => {
          const found = problem(source, one);
          return found === null ? [] : [{ rule: name, path: source.path, problem: found }];
        }),
      ),
});

const matrix: Readonly<Record<string, readonly string[]>> = {
  core: ["core"],
  ui: ["ui", "core"],
  features: ["features", "ui", "core"],
};

const importMatrix = perImport("W1 ui and core know no feature", ({ path }, { target }) => {
  if (target.startsWith("npm:")) return null;
  const allowed = matrix[areaOf(path)];
  return !allowed || allowed.includes(areaOf(target)) ? null : `${areaOf(path)} may not import ${target}`;
});

const namedEntries = perImport("W2 features meet through <feature>.api.ts and their pages", ({ path }, { target }) => {
  const [from, to] = [featureOf(path), featureOf(target)];
  if (from === null || to === null || from === to) return null;
  const isEntry = target === `features/${to}/${to}.api.ts` || target === `features/${to}/${to}.pages.tsx`;
  return isEntry ? null : `reaches into ${target}`;
});

const onlyContracts = perImport(
  "W3 the browser reaches contracts and texts of the server, and nothing else",
  (_source, { target }) => {
    const own = /^npm:@rollcall\/([\w-]+)\/?(.*)$/.exec(target);
    if (!own) return null;
    return own[1] === "server" && /^(?:contract|text)\//.test(own[2] ?? "") ? null : `imports ${target.slice(4)}`;
  },
);

/** Imports of types come from the browser's driver too: a state declares what it does with a page. */
const ofStates = (target: string, typeOnly: boolean) =>
  target.startsWith("npm:@rollcall/testkit/") || (typeOnly && target === "npm:playwright-core");

const statesApart: Rule = {
  name: "W4 page states import only the test kit, and nothing imports them",
  check: (sources) =>
    sources.flatMap(({ path, imports }) =>
      imports.flatMap(({ target, typeOnly }) => {
        const allowed = isStates(path) ? ofStates(target, typeOnly) : !isStates(target);
        return allowed ? [] : [{ rule: statesApart.name, path, problem: `imports ${target}` }];
      }),
    ),
};

/** What `packages/web` may import. */
export const webRules: readonly Rule[] = [importMatrix, namedEntries, onlyContracts, statesApart, fieldWords, noCircles];

import { noCircles } from "./circles.ts";
import type { Rule, Violation } from "./rule.ts";
import type { Import, Source } from "./source.ts";
import { fieldWords } from "./words.ts";

const kinds = [
  "feature",
  "contract",
  "machine",
  "schema",
  "reads",
  "api",
  "repo",
  "policy",
  "service",
  "routes",
  "schedules",
  "worker",
  "events",
  "sync",
  "bot",
  "testkit",
];

const isTest = (file: string) => file.endsWith(".test.ts") || file.startsWith("testkit/") || file.endsWith(".testkit.ts");
const areaOf = (file: string) => (file.includes("/") ? (file.split("/", 1)[0] ?? "") : "root");

/** `features/citizens/citizens.sync.repo.ts` is of feature `citizens` and kind `repo`. */
export function placeOf(file: string): { feature: string; kind: string } | null {
  const match = /^features\/([\w-]+)\/(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*?\.(\w+)\.ts$/.exec(file);
  return match ? { feature: match[1] ?? "", kind: match[2] ?? "" } : null;
}

const perImport = (
  name: string,
  applies: (source: Source) => boolean,
  problem: (source: Source, one: Import) => string | null,
): Rule => ({
  name,
  check: (sources) =>
    sources.filter(applies).flatMap((source) =>
      source.imports.flatMap((one) => {
        const found = problem(source, one);
        return found === null ? [] : [{ rule: name, path: source.path, problem: found }];
      }),
    ),
});

const productive = (source: Source) => source.path.endsWith(".ts") && !isTest(source.path);
const isNpm = (target: string) => target.startsWith("npm:");

const matrix: Readonly<Record<string, readonly string[]>> = {
  core: ["core"],
  config: ["config", "core"],
  infra: ["infra", "core"],
  features: ["features", "core"],
};

const importMatrix = perImport("1 import matrix", productive, (source, { target, typeOnly }) => {
  if (isNpm(target)) return null;
  const from = areaOf(source.path);
  const to = areaOf(target);
  if (to === "testkit") return `imports ${target}: the test kit is for tests`;
  const allowed = matrix[from];
  if (!allowed || allowed.includes(to)) return null;
  if (from === "features" && to === "config" && typeOnly) return null;
  return `${from} may not import ${target}`;
});

const featureEntries = ["contract", "api", "reads"];

function needsOf(sources: readonly Source[]): Map<string, string[]> {
  const needs = new Map<string, string[]>();
  for (const source of sources) {
    if (!source.path.endsWith(".feature.ts")) continue;
    const name = /name:\s*"([\w-]+)"/.exec(source.text)?.[1];
    const list = /needs:\s*\[([^\]]*)\]/.exec(source.text)?.[1] ?? "";
    if (name)
      needs.set(
        name,
        [...list.matchAll(/"([\w-]+)"/g)].map((match) => match[1] ?? ""),
      );
  }
  return needs;
}

function cycleFrom(start: string, needs: ReadonlyMap<string, readonly string[]>): string[] | null {
  const walk = (at: string, path: readonly string[]): string[] | null => {
    for (const next of needs.get(at) ?? []) {
      if (next === start) return [...path, next];
      if (path.includes(next)) continue;
      const found = walk(next, [...path, next]);
      if (found) return found;
    }
    return null;
  };
  return walk(start, [start]);
}

const throughEntries: Rule = {
  name: "2 features meet through contract, api and reads, as needed",
  check(sources) {
    const needs = needsOf(sources);
    const bad = perImport(this.name, productive, (source, { target }) => {
      const from = placeOf(source.path);
      const to = placeOf(target);
      if (!from || !to || from.feature === to.feature) return null;
      if (!featureEntries.includes(to.kind)) return `reaches into ${target}`;
      if (needs.get(from.feature)?.includes(to.feature) !== true) return `uses ${to.feature} without naming it in needs`;
      return null;
    }).check(sources, { glossary: new Set() });
    const cycles = [...needs.keys()].flatMap((name) => {
      const cycle = cycleFrom(name, needs);
      return cycle
        ? [
            {
              rule: this.name,
              path: `features/${name}/${name}.feature.ts`,
              problem: `needs go in a circle: ${cycle.join(" -> ")}`,
            },
          ]
        : [];
    });
    return [...bad, ...cycles];
  },
};

const pureKinds = ["contract", "machine"];

const pureContracts = perImport(
  "3 contracts and state machines are pure",
  (source) =>
    pureKinds.includes(placeOf(source.path)?.kind ?? "") || (source.path.startsWith("core/contract/") && !isTest(source.path)),
  (_source, { target }) => {
    const pure =
      target === "npm:typebox" || target.startsWith("core/contract/") || pureKinds.includes(placeOf(target)?.kind ?? "");
    return pure ? null : `a contract or a state machine may not import ${target}`;
  },
);

const thin = ["routes", "schedules", "events", "worker", "sync", "bot"];

const layers = perImport(
  "4 layers of a feature",
  (source) => productive(source) && placeOf(source.path) !== null,
  (source, { target, typeOnly }) => {
    const kind = placeOf(source.path)?.kind ?? "";
    const to = placeOf(target)?.kind;
    const query = target === "npm:kysely" || target === "core/db/index.ts" || target === "core/db/queries.ts";
    if (query && !["schema", "reads", "repo", "feature"].includes(kind))
      return `only schema, reads and repo see the query builder (${target})`;
    // `sync` names the tables that the game fills; the kit writes them.
    if (thin.includes(kind) && (to === "repo" || (to === "schema" && kind !== "sync")))
      return `${kind} calls the service, not ${target}`;
    if (kind === "policy" && !typeOnly && (to === "repo" || to === "service" || target.startsWith("core/ports/")))
      return `a policy is pure: ${target}`;
    if (kind === "repo" && to === "service") return `a repo knows no service: ${target}`;
    return null;
  },
);

const kindOfFile: Rule = {
  name: "4 only the known kinds of files",
  check: (sources) =>
    sources.flatMap(({ path }) => {
      if (!path.startsWith("features/") || isTest(path) || path.endsWith(".json")) return [];
      const place = placeOf(path);
      if (place && kinds.includes(place.kind)) return [];
      return [
        {
          rule: "4 only the known kinds of files",
          path,
          problem: `name it <feature>.<${kinds.join("|")}>.ts`,
        },
      ];
    }),
};

const forbidden: readonly { readonly what: RegExp; readonly say: string; readonly except: RegExp }[] = [
  { what: /\bprocess\.env\b/, say: "only config/ reads the environment", except: /^(?:config|cli)\/|^main\.ts$/ },
  {
    what: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
    say: "only the clock port reads time",
    except: /^infra\/clock\.ts$/,
  },
  {
    what: /\bMath\.random\(\)\.toString|\brandomUUID\(|\brandomBytes\(/,
    say: "only the id port makes ids",
    except: /^infra\/ids\.ts$/,
  },
];

const onlyPorts: Rule = {
  name: "7 environment, time and ids through their ports",
  check: (sources) =>
    sources.filter(productive).flatMap(({ path, text }) =>
      forbidden
        .filter(({ what, except }) => !except.test(path) && what.test(text))
        .map(({ say }) => ({
          rule: "7 environment, time and ids through their ports",
          path,
          problem: say,
        })),
    ),
};

const isMigration = (file: string) => /^infra\/db\/migrations\/\d{12}_/.test(file);

const frozenMigrations: Rule = {
  name: "8 migrations import only the kit and nobody imports them",
  check(sources) {
    return sources.flatMap((source) =>
      source.imports.flatMap(({ target }) => {
        if (isMigration(source.path) && target !== "infra/db/migrations/kit.ts")
          return [{ rule: this.name, path: source.path, problem: `imports ${target}` }];
        if (!isMigration(source.path) && isMigration(target))
          return [{ rule: this.name, path: source.path, problem: `imports the migration ${target}` }];
        return [];
      }),
    );
  },
};

const mostLines = 400;

const fileBudget: Rule = {
  name: "12 no file over 400 lines",
  check(sources) {
    return sources.flatMap(({ path, text }) => {
      const lines = text.split("\n").length;
      return lines > mostLines && !isMigration(path) ? [{ rule: this.name, path, problem: `${lines} lines` }] : [];
    });
  },
};

const junk = /(?:^|\/)(?:utils?|helpers?|common|misc)(?:\.|\/|$)/;

const oneName: Rule = {
  name: "13 one name per idea",
  check(sources, { glossary }) {
    const bad: Violation[] = [];
    const say = (path: string, problem: string) => void bad.push({ rule: this.name, path, problem });
    for (const { path, text } of sources) {
      if (junk.test(path)) say(path, "no junk drawers");
      const place = placeOf(path);
      if (!place) continue;
      const { feature, kind } = place;
      const mine = (name: string) => name === feature || name.startsWith(`${feature}_`) || name.startsWith(`${feature}.`);
      if (kind === "schema")
        for (const [, table = ""] of text.matchAll(/defineTable\(\s*"(\w+)"/g))
          if (!mine(table)) say(path, `table ${table} lacks the prefix ${feature}`);
      if (kind === "contract") {
        for (const [, id = ""] of text.matchAll(/define(?:Event|Operation)\(\{\s*id:\s*"([\w.]+)"/g))
          if (!mine(id)) say(path, `${id} lacks the prefix ${feature}`);
      }
      if (kind === "feature" && !glossary.has(feature)) say(path, `${feature} is not in docs/glossary.md`);
    }
    return bad;
  },
};

/** A policy of fewer lines only names something. */
const leastTestedLines = 15;

const testedPolicies: Rule = {
  name: "16 a policy has a test beside it",
  check(sources) {
    const paths = new Set(sources.map(({ path }) => path));
    return sources.flatMap(({ path, text }) => {
      if (isTest(path) || placeOf(path)?.kind !== "policy" || text.split("\n").length <= leastTestedLines) return [];
      const test = path.replace(/\.ts$/, ".test.ts");
      return paths.has(test) ? [] : [{ rule: this.name, path, problem: `write ${test}: a table of the rules, without I/O` }];
    });
  },
};

export const rules: readonly Rule[] = [
  importMatrix,
  throughEntries,
  pureContracts,
  layers,
  kindOfFile,
  onlyPorts,
  frozenMigrations,
  fileBudget,
  oneName,
  fieldWords,
  noCircles,
  testedPolicies,
];

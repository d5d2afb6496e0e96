import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { rules } from "./rules.ts";
import { readSources, type Source, sourceOf } from "./source.ts";

const root = path.resolve(import.meta.dirname, "../..");
const glossary = new Set(
  [...readFileSync(path.join(root, "docs", "glossary.md"), "utf8").matchAll(/^\*\*([\w ]+)\*\*/gm)].map((match) =>
    (match[1] ?? "").toLowerCase(),
  ),
);

function broken(files: Record<string, string>): string[] {
  const sources: Source[] = Object.entries(files).map(([file, text]) => sourceOf(file, text));
  return rules
    .flatMap((rule) => rule.check(sources, { glossary: new Set(["a", "b"]) }))
    .map((one) => one.rule.split(" ", 1)[0] ?? "");
}

const manifest = (name: string, needs: string[]) => `defineFeature({ name: "${name}", needs: ${JSON.stringify(needs)} })`;

describe("the code keeps the rules", () => {
  const sources = readSources(path.join(root, "packages", "server", "src"));
  test.each(rules)("$name", (rule) => {
    expect(rule.check(sources, { glossary })).toEqual([]);
  });
});

describe("each rule bites", () => {
  test.each<[string, string, Record<string, string>]>([
    ["1", "core may not import infra", { "core/x.ts": 'import { y } from "#infra/y.ts";' }],
    ["1", "infra may not import a feature", { "infra/x.ts": 'import { y } from "#features/a/a.api.ts";' }],
    ["1", "a feature may import config only as types", { "features/a/a.service.ts": 'import { y } from "#config/index.ts";' }],
    ["1", "nothing but tests imports the test kit", { "infra/x.ts": 'import { y } from "#testkit/y.ts";' }],
    [
      "2",
      "another feature's service is out of reach",
      {
        "features/a/a.feature.ts": manifest("a", ["b"]),
        "features/a/a.service.ts": 'import { y } from "#features/b/b.service.ts";',
      },
    ],
    [
      "2",
      "an api is used only when needed",
      {
        "features/a/a.feature.ts": manifest("a", []),
        "features/a/a.service.ts": 'import { y } from "#features/b/b.api.ts";',
      },
    ],
    [
      "2",
      "needs have no circle",
      { "features/a/a.feature.ts": manifest("a", ["b"]), "features/b/b.feature.ts": manifest("b", ["a"]) },
    ],
    ["3", "a contract is pure", { "features/a/a.contract.ts": 'import fs from "node:fs";' }],
    ["3", "the core contract is pure", { "core/contract/x.ts": 'import { y } from "../errors.ts";' }],
    ["4", "routes do not query", { "features/a/a.routes.ts": 'import { y } from "./a.repo.ts";' }],
    ["4", "a service does not see the query builder", { "features/a/a.service.ts": 'import { sql } from "kysely";' }],
    ["4", "a policy is pure", { "features/a/a.policy.ts": 'import { y } from "./a.repo.ts";' }],
    ["4", "no other kinds of files", { "features/a/a.manager.ts": "" }],
    ["7", "the environment is config's", { "infra/x.ts": "const y = process.env.HOME;" }],
    ["7", "time is the clock's", { "infra/x.ts": "const y = Date.now();" }],
    ["7", "ids are the id port's", { "infra/x.ts": "const y = randomUUID();" }],
    [
      "8",
      "a migration imports only the kit",
      { "infra/db/migrations/202601010000_a_x.ts": 'import { y } from "#core/db/table.ts";' },
    ],
    ["8", "nobody imports a migration", { "infra/x.ts": 'import y from "./db/migrations/202601010000_a_x.ts";' }],
    ["12", "no file over 400 lines", { "infra/x.ts": "\n".repeat(401) }],
    ["13", "tables carry the feature's name", { "features/a/a.schema.ts": 'defineTable("b_x", {})' }],
    ["13", "events carry the feature's name", { "features/a/a.contract.ts": 'defineEvent({ id: "b.x" })' }],
    ["13", "a feature stands in the glossary", { "features/c/c.feature.ts": manifest("c", []) }],
    ["13", "no junk drawers", { "infra/utils.ts": "" }],
  ])("rule %s: %s", (rule, _what, files) => {
    expect(broken(files)).toContain(rule);
  });

  test("what the rules allow passes", () => {
    const files = {
      "features/a/a.feature.ts": `import type { Config } from "#config/index.ts";\n${manifest("a", ["b"])}`,
      "features/b/b.feature.ts": manifest("b", []),
      "features/a/a.service.ts": 'import { y } from "./a.repo.ts";\nimport type { B } from "#features/b/b.api.ts";',
      "features/a/a.repo.ts": 'import { queries } from "#core/db/index.ts";\nimport { sql } from "kysely";',
      "features/a/a.contract.ts": 'import { Type } from "typebox";\nimport { z } from "#features/b/b.contract.ts";',
    };
    expect(broken(files)).toEqual([]);
  });
});

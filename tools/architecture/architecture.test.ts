import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { rules } from "./rules.ts";
import { noCircles } from "./circles.ts";
import { readSources, type Source, sourceOf } from "./source.ts";
import { webRules } from "./web.ts";
import { fieldWords } from "./words.ts";

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

describe("the code follows the rules", () => {
  const sources = readSources(path.join(root, "packages", "server", "src"));
  test.each(rules)("$name", (rule) => {
    expect(rule.check(sources, { glossary })).toEqual([]);
  });
});

describe("the browser's code follows its rules", () => {
  const sources = readSources(path.join(root, "packages", "web", "src"));
  test.each(webRules)("$name", (rule) => {
    expect(rule.check(sources, { glossary })).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    ["W1", "core may not import ui", "core/x.ts", 'import { y } from "#ui/y.tsx";'],
    ["W1", "ui may not import a feature", "ui/x.tsx", 'import { y } from "#features/a/a.api.ts";'],
    ["W2", "another feature's component is out of reach", "features/b/x.tsx", 'import { y } from "#features/a/y.tsx";'],
    ["W2", "also when it is loaded later", "features/b/x.tsx", 'const y = lazy(() => import("#features/a/y.tsx"));'],
    ["W3", "the server's code is out of reach", "core/x.ts", 'import { y } from "@rollcall/server/src/core/errors.ts";'],
    ["W4", "a page state may not import the page", "features/a/a.states.ts", 'import { y } from "./y.tsx";'],
    ["W4", "nor the driver of the browser", "features/a/a.states.ts", 'import { chromium } from "playwright-core";'],
    ["W4", "a page may not import its states", "features/a/y.tsx", 'import { pageStates } from "./a.states.ts";'],
  ])("rule %s bites: %s", (rule, _what, file, text) => {
    const broken = webRules.flatMap((one) => one.check([sourceOf(file, text)], { glossary }));
    expect(broken.map((one) => one.rule.split(" ", 1)[0])).toEqual([rule]);
  });
});

describe.each(["packages/e2e/src", "packages/testkit/src", "packages/sync-sdk/src", "tools", "bench"])("%s", (folder) => {
  const sources = readSources(path.join(root, folder));
  test.each([fieldWords, noCircles])("$name", (rule) => {
    expect(rule.check(sources, { glossary })).toEqual([]);
  });
});

describe("each rule detects its violation", () => {
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
    ["3", "a state machine is pure", { "features/a/a.machine.ts": 'import { y } from "./a.policy.ts";' }],
    [
      "2",
      "a state machine of another feature is reached through its contract",
      {
        "features/a/a.feature.ts": manifest("a", ["b"]),
        "features/a/a.service.ts": 'import { y } from "#features/b/b.machine.ts";',
      },
    ],
    ["3", "the core contract is pure", { "core/contract/x.ts": 'import { y } from "../errors.ts";' }],
    ["4", "routes do not query", { "features/a/a.routes.ts": 'import { y } from "./a.repo.ts";' }],
    ["4", "a declaration for the sync kit does not query", { "features/a/a.sync.ts": 'import { y } from "./a.repo.ts";' }],
    ["4", "events see no table", { "features/a/a.events.ts": 'import { y } from "./a.schema.ts";' }],
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
    ["14", "an exported home word", { "infra/x.ts": "export function createDoor() {}" }],
    ["14", "a home word with a prefix", { "infra/x.ts": "export const unheard = 1;" }],
    ["14", "a home word as a file name", { "infra/strangers.ts": "" }],
    ["14", "a home word in a comment", { "infra/x.ts": "/** Asked anew. */" }],
    ["14", "a home word as a topic", { "infra/x.ts": 'defineTopic({ name: "trail/:id" })' }],
    ["15", "two files import each other", { "infra/x.ts": 'import "./y.ts";', "infra/y.ts": 'import { x } from "./x.ts";' }],
    [
      "15",
      "one of them needs only a type",
      { "infra/x.ts": 'import { y } from "./y.ts";', "infra/y.ts": 'import type { X } from "./x.ts";' },
    ],
    ["16", "a policy without a test", { "features/a/a.policy.ts": "//\n".repeat(16) }],
    [
      "16",
      "the test of another policy does not count",
      { "features/a/a.b.policy.ts": "//\n".repeat(16), "features/a/a.policy.test.ts": "" },
    ],
  ])("rule %s: %s", (rule, _what, files) => {
    expect(broken(files)).toContain(rule);
  });

  test("what the rules allow passes", () => {
    const files = {
      "features/a/a.feature.ts": `import type { Config } from "#config/index.ts";\n${manifest("a", ["b"])}`,
      "features/b/b.feature.ts": manifest("b", []),
      "features/a/a.service.ts": 'import { y } from "./a.repo.ts";\nimport type { B } from "#features/b/b.api.ts";',
      "features/a/a.repo.ts": 'import { queries } from "#core/db/index.ts";\nimport { sql } from "kysely";',
      "features/a/a.sync.ts": 'import { y } from "./a.schema.ts";',
      "features/a/a.policy.ts": "//\n".repeat(16),
      "features/a/a.policy.test.ts": 'import { features } from "#app/features.ts";',
      "features/a/a.names.policy.ts": "export const x = 1;\n",
      "features/a/a.contract.ts":
        'import { Type } from "typebox";\nimport { z } from "#features/b/b.contract.ts";\nimport { m } from "./a.machine.ts";',
      "features/a/a.machine.ts": 'import { defineStateMachine } from "#core/contract/index.ts";',
    };
    expect(broken(files)).toEqual([]);
  });
});

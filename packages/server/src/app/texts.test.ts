import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventsOf } from "#core/contract/index.ts";
import { actionsOf } from "#core/feature.ts";
import { createFindingTexts } from "#core/texts.ts";
import { features } from "./features.ts";

type Texts = { [key: string]: string | Texts };

function read(feature: string, language: string): Texts {
  return JSON.parse(
    readFileSync(new URL(`../features/${feature}/${feature}.text.${language}.json`, import.meta.url), "utf8"),
  ) as Texts;
}

function flat(texts: Texts, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === "string" ? [[`${prefix}${key}`, value] as const] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}

const paramsOf = (text: string) => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]))].sort();

describe.each(features.map(({ name, contract }) => [name, contract] as const))("texts of %s", (name, contract) => {
  const [en, de] = [flat(read(name, "en")), flat(read(name, "de"))];

  test("are complete in English and German, with equal parameters", () => {
    expect([...de.keys()].sort()).toEqual([...en.keys()].sort());
    for (const [key, text] of en) {
      expect(text.trim()).not.toBe("");
      expect([key, paramsOf(de.get(key) ?? "")]).toEqual([key, paramsOf(text)]);
    }
  });

  test("have a message for every error, using only its parameters", () => {
    for (const { code, params } of Object.values(contract.errors ?? {})) {
      const text = en.get(`errors.${code.slice(name.length + 1)}`);
      expect([code, text !== undefined]).toEqual([code, true]);
      expect(paramsOf(text ?? "").filter((param) => !params.includes(param ?? ""))).toEqual([]);
    }
  });

  test("have a text for every schedule", () => {
    for (const { id, cron: schedule } of [...(contract.schedules ?? []), ...(contract.retention ?? [])])
      if (schedule !== undefined) expect([id, en.has(`panel.jobs.${id.slice(name.length + 1)}`)]).toEqual([id, true]);
  });

  test("have a text for everything that is retained, for a time or forever", () => {
    const textsOf = (kind: string) => ["what", "time"].map((part) => en.get(`panel.kept.${kind}.${part}`));
    const steps = (contract.retention ?? []).flatMap((retention) => Object.keys(retention.steps));
    const forGood = (contract.keptForGood ?? []).map(({ kind }) => kind);
    for (const kind of steps) expect([kind, textsOf(kind)]).toEqual([kind, [expect.any(String), textsOf(kind)[1]]]);
    for (const kind of forGood) expect([kind, textsOf(kind)]).toEqual([kind, [expect.any(String), expect.any(String)]]);
    const said = [...en.keys()].filter((key) => key.startsWith("panel.kept.")).map((key) => key.split(".")[2]);
    expect([...new Set(said)].toSorted()).toEqual([...steps, ...forGood].toSorted());
    for (const kind of forGood) expect(paramsOf(textsOf(kind)[1] ?? "")).toEqual([]);
    for (const kind of steps) expect(["time", undefined]).toContain(paramsOf(textsOf(kind)[1] ?? "")[0]);
  });

  test("have a text for every state machine, its states and its events, and for nothing else", () => {
    const wanted = (contract.machines ?? []).flatMap((machine) => {
      const key = `machines.${machine.id.slice(name.length + 1)}`;
      return [
        `${key}.name`,
        ...machine.states.map((state) => `${key}.states.${state}`),
        ...eventsOf(machine).map((event) => `${key}.events.${event}`),
      ];
    });
    expect([...en.keys()].filter((key) => key.startsWith("machines.")).toSorted()).toEqual(wanted.toSorted());
  });

  test("have a text for every kind of requests with approval, using only its parameters", () => {
    for (const { id, params } of contract.approvals ?? [])
      for (const part of ["label", "title", "text"]) {
        const text = en.get(`approvals.${id.slice(name.length + 1)}.${part}`);
        expect([id, part, text !== undefined]).toEqual([id, part, true]);
        expect(paramsOf(text ?? "").filter((param) => !params.includes(param ?? ""))).toEqual([]);
      }
  });

  test("have a text for every notification", () => {
    for (const { id, params, digest } of contract.notifications ?? []) {
      const allowed = digest ? [...params, "count"] : params;
      for (const part of ["title", "text", "label"]) {
        const key = `notifications.${id.slice(name.length + 1)}.${part}`;
        const plural = ["one", "other"].map((form) => `${key}_${form}`);
        const keys = part !== "label" && allowed.includes("count") && en.has(plural[0]!) ? plural : [key];
        for (const one of keys) {
          expect([one, en.has(one)]).toEqual([one, true]);
          expect(paramsOf(en.get(one) ?? "").filter((param) => !allowed.includes(param ?? ""))).toEqual([]);
        }
      }
      const sentences = `notifications.${id.slice(name.length + 1)}.permissions.`;
      const named = [...en.keys()].filter((key) => key.startsWith(sentences));
      for (const key of named) {
        expect(params).toContain(key.slice(sentences.length).replace(/_(?:one|other)$/, ""));
        expect(paramsOf(en.get(key) ?? "").filter((param) => !["names", ...allowed].includes(param ?? ""))).toEqual([]);
      }
    }
  });

  test("have a text for every audit action, and for nothing else", () => {
    const verbs = [...en.keys()]
      .filter((key) => key.startsWith("actions."))
      .map((key) => `${name}.${key.slice("actions.".length)}`);
    expect(verbs.sort()).toEqual([...actionsOf([contract])].sort());
  });

  test("have a text for every kind of object in the audit log, and for nothing else", () => {
    const named = [...en.keys()].flatMap((key) => /^panel\.objects\.(\w+)$/.exec(key)?.[1] ?? []);
    expect(named.toSorted()).toEqual((contract.objects ?? []).map((kind) => kind.split(".").at(-1)).toSorted());
  });

  test("have a text for every permission", () => {
    for (const { id } of contract.permissions ?? []) expect(en.has(`permissions.${id.slice(name.length + 1)}`)).toBe(true);
  });
});

/** What the code of the server names where the pattern matches. */
function namedInCode(pattern: RegExp): string[] {
  const root = new URL("..", import.meta.url).pathname;
  return globSync(`${root}**/*.ts`)
    .filter((file) => !/\.test\.ts$|\.contract\.ts$|testkit/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name]) => name!));
}

test("every audit action in the code is declared by a feature", () => {
  const declared = actionsOf(features.map(({ contract }) => contract));
  const named = namedInCode(/\baction: "([^"]+)"/g);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((action) => !declared.has(action))).toEqual([]);
});

test("every object of the audit log in the code is declared by a feature", () => {
  const declared = new Set(features.flatMap(({ contract }) => contract.objects ?? []));
  const named = namedInCode(/(?:\bobject: \{|\bremoval: \{ action: "[^"]+",|\bobjectOf: \(\w+\) => \(\{) kind: "([^"]+)"/g);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((kind) => !declared.has(kind))).toEqual([]);
});

test("what the configuration warns of can be said in every language", () => {
  const codes = globSync(`${new URL("../config", import.meta.url).pathname}/**/*.ts`)
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\bcode: "(\w+)"/g)].map(([, code]) => code!));
  expect(codes.length).toBeGreaterThan(20);
  for (const language of ["en", "de"] as const) {
    const textsOf = createFindingTexts(["system"], language);
    expect(codes.filter((code) => textsOf(`system.${code}`, {}).text === `system.${code}`)).toEqual([]);
  }
});

import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { actionsOf } from "#core/feature.ts";
import { features } from "./features.ts";

type Texts = { [key: string]: string | Texts };

function read(feature: string, language: string): Texts {
  return JSON.parse(
    readFileSync(new URL(`features/${feature}/${feature}.text.${language}.json`, import.meta.url), "utf8"),
  ) as Texts;
}

function flat(texts: Texts, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === "string" ? [[`${prefix}${key}`, value] as const] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}

const places = (sentence: string) => [...new Set([...sentence.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]))].sort();

describe.each(features.map(({ name, contract }) => [name, contract] as const))("texts of %s", (name, contract) => {
  const [en, de] = [flat(read(name, "en")), flat(read(name, "de"))];

  test("are complete in English and German, with equal places", () => {
    expect([...de.keys()].sort()).toEqual([...en.keys()].sort());
    for (const [key, sentence] of en) {
      expect(sentence.trim()).not.toBe("");
      expect([key, places(de.get(key) ?? "")]).toEqual([key, places(sentence)]);
    }
  });

  test("have a sentence for every error, using only its parameters", () => {
    for (const { code, params } of Object.values(contract.errors ?? {})) {
      const sentence = en.get(`errors.${code.slice(name.length + 1)}`);
      expect([code, sentence !== undefined]).toEqual([code, true]);
      expect(places(sentence ?? "").filter((place) => !params.includes(place ?? ""))).toEqual([]);
    }
  });

  test("have words for every recurring job", () => {
    for (const { id, schedule } of [...(contract.jobs ?? []), ...(contract.retention ?? [])])
      if (schedule !== undefined) expect([id, en.has(`panel.jobs.${id.slice(name.length + 1)}`)]).toEqual([id, true]);
  });

  test("have words for everything that is kept, for a time or for good", () => {
    const wordsOf = (kind: string) => ["what", "time"].map((part) => en.get(`panel.kept.${kind}.${part}`));
    const steps = (contract.retention ?? []).flatMap((retention) => Object.keys(retention.steps));
    const forGood = (contract.keptForGood ?? []).map(({ kind }) => kind);
    for (const kind of steps) expect([kind, wordsOf(kind)]).toEqual([kind, [expect.any(String), wordsOf(kind)[1]]]);
    for (const kind of forGood) expect([kind, wordsOf(kind)]).toEqual([kind, [expect.any(String), expect.any(String)]]);
    const said = [...en.keys()].filter((key) => key.startsWith("panel.kept.")).map((key) => key.split(".")[2]);
    expect([...new Set(said)].toSorted()).toEqual([...steps, ...forGood].toSorted());
    for (const kind of forGood) expect(places(wordsOf(kind)[1] ?? "")).toEqual([]);
    for (const kind of steps) expect(["time", undefined]).toContain(places(wordsOf(kind)[1] ?? "")[0]);
  });

  test("have words for every notification", () => {
    for (const { id, params } of contract.notifications ?? []) {
      for (const part of ["title", "text", "label"]) {
        const sentence = en.get(`notifications.${id.slice(name.length + 1)}.${part}`);
        expect([id, part, sentence !== undefined]).toEqual([id, part, true]);
        expect(places(sentence ?? "").filter((place) => !params.includes(place ?? ""))).toEqual([]);
      }
    }
  });

  test("have words for everything that the audit trail may say was done, and for nothing else", () => {
    const verbs = [...en.keys()]
      .filter((key) => key.startsWith("actions."))
      .map((key) => `${name}.${key.slice("actions.".length)}`);
    expect(verbs.sort()).toEqual([...actionsOf([contract])].sort());
  });

  test("have words for every permission", () => {
    for (const { id } of contract.permissions ?? []) expect(en.has(`permissions.${id.slice(name.length + 1)}`)).toBe(true);
  });
});

test("every action that the code names for the audit trail is declared by a feature", () => {
  const declared = actionsOf(features.map(({ contract }) => contract));
  const root = new URL(".", import.meta.url).pathname;
  const named = globSync(`${root}**/*.ts`)
    .filter((file) => !/\.test\.ts$|\.contract\.ts$|testkit/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\baction: "([^"]+)"/g)].map(([, action]) => action!));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((action) => !declared.has(action))).toEqual([]);
});

import i18next, { type TFunction } from "i18next";
import { describe, expect, test } from "vitest";
import { defaultSettings } from "@rollcall/server/contract/settings";
import { leaves } from "./changes.ts";
import { fieldText, infoFacts, valueText } from "./fields.ts";
import { featureOfKind } from "./objects.ts";
import { actionText, actorText, kindText, objectText } from "./texts.ts";

type Tree = { [key: string]: Tree | string };

const files = {
  ...import.meta.glob<Tree>("../../../../server/src/features/*/*.text.*.json", { eager: true, import: "default" }),
  ...import.meta.glob<Tree>(["./*.text.*.json", "../notifications/*.text.*.json"], { eager: true, import: "default" }),
};

const merged = (one: Tree | undefined, other: Tree): Tree => {
  const all: Tree = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = all[key];
    all[key] = typeof known === "object" && typeof value === "object" ? merged(known, value) : value;
  }
  return all;
};

const core = import.meta.glob<Tree>("../../core/text/*.json", { eager: true, import: "default" });

function textsIn(language: string): Tree {
  const texts: Tree = { ...core[`../../core/text/${language}.json`] };
  for (const [file, tree] of Object.entries(files)) {
    const [feature = "", , written] = file.split("/").at(-1)!.split(".");
    if (written === language) texts[feature] = merged(texts[feature] as Tree | undefined, tree);
  }
  return texts;
}

async function translator(language: string): Promise<TFunction> {
  const own = i18next.createInstance();
  await own.init({ lng: language, resources: { [language]: { translation: textsIn(language) } }, returnNull: false });
  return own.t;
}

const label = (name: string) => ({ police: "Police" })[name] ?? name;

describe.each(["en", "de"])("texts of the audit log in %s", (language) => {
  test("name every kind of object and every setting", async () => {
    const t = await translator(language);
    for (const kind of Object.keys(featureOfKind)) expect(kindText(t, kind)).not.toBe(kind);
    for (const [path] of leaves(defaultSettings)) expect(t(`settings.fields.${path}`)).not.toBe(`settings.fields.${path}`);
  });
});

test("an object of another feature has the name that the feature gives it", async () => {
  const own = i18next.createInstance();
  const texts = {
    objects: { entry: "Paper", map: "Map" },
    objectNames: { map: "MAP-{{id}}" },
    fields: { ink: "Ink" },
    values: { red: "Red" },
  };
  const translation = { papers: { panel: texts } };
  await own.init({ lng: "en", resources: { en: { translation } } });
  expect(objectText(own.t, { kind: "papers.entry", id: "7" }, label)).toBe("Paper 7");
  expect(objectText(own.t, { kind: "papers.entry", id: "manifest" }, label)).toBe("Paper");
  expect(objectText(own.t, { kind: "papers.map", id: "7" }, label)).toBe("MAP-7");
  expect(fieldText(own.t, "ink", "papers.write")).toBe("Ink");
  expect(valueText(own.t, "en", "kind", "red", "papers.write")).toBe("Red");
  expect(kindText(own.t, "papers.gone")).toBe("papers.gone");
  expect(kindText(own.t, "gone")).toBe("gone");
});

test("actions, objects and people have readable names", async () => {
  const t = await translator("de");
  expect(actionText(t, "access.putLimits")).toBe("Limits eines Jobs geändert");
  expect(actionText(t, "citizens.")).toBe("Bürger");
  expect(actionText(t, "long.gone")).toBe("long.gone");
  expect(objectText(t, { kind: "role", id: "police/3" }, label)).toBe("Rolle Police, Rang 3");
  expect(objectText(t, { kind: "role", id: "/1" }, label)).toBe("Standardrolle");
  expect(objectText(t, { kind: "limits", id: "police" }, label)).toBe("Limits von Police");
  expect(objectText(t, { kind: "provider", id: "discord/denied" }, label)).toBe("Anbieter discord");
  expect(objectText(t, { kind: "scheduledJob", id: "citizens.purge" }, label)).not.toContain("citizens.purge");
  const by = (kind: string, name: string, result = "ok", target: object | null = null) =>
    actorText(t, { actor: { kind, name, characterName: null }, target, result } as Parameters<typeof actorText>[1]);
  expect(by("system", "citizens.purge")).not.toContain("citizens.purge");
  const mara = { kind: "account", id: 3, name: "mara" };
  expect(by("anonymous", "", "ok", mara)).toBe("mara");
  expect(by("anonymous", "", "denied", mara)).toBe("Nicht angemeldet");
});

test("changed fields and their values have texts, also inside rights, lists and settings", async () => {
  const t = await translator("en");
  expect(fieldText(t, "citizens.list.allow", "access.putRole")).toBe("List and search citizens › Allowed");
  expect(fieldText(t, "limits.citizens.list.fields", "access.putRole")).toBe("Limits › List and search citizens › Fields");
  expect(fieldText(t, "entries.0.minGrade", "access.putRole")).toBe("Access list › 1 › From grade");
  expect(fieldText(t, "auth.newDevice", "access.putRole")).not.toContain("newDevice");
  expect(valueText(t, "en", "why", "throttled", "auth.login")).toBe("too many attempts");
  expect(valueText(t, "en", "title", "throttled", "auth.login")).toBe("throttled");
  expect(valueText(t, "en", "notifications.trial", "bell, sound", "auth.login")).toBe("Bell, Sound");
  expect(valueText(t, "en", "file", null, "auth.login")).toBe("nothing");
  const facts = infoFacts(
    t,
    "en",
    { code: "citizens.fieldHidden", permission: "citizens.list", field: "phone", job: "Police" },
    "citizens.list",
  );
  expect(facts).toEqual([{ label: "Reason", value: expect.stringContaining("List and search citizens") }]);
});

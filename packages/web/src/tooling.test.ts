import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Day, Instant, Nullable, OneOf } from "@rollcall/server/contract/core";
import { describe, expect, it } from "vitest";
import { exportsOf } from "../vite/chunks.ts";
import { indexOf, lightModule } from "../vite/contracts.ts";
import { contractOfForm, formContract } from "../vite/formSchemas.ts";
import { LANGUAGES, readTexts } from "../vite/texts.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = globSync(`${root}src/**/*.{ts,tsx}`)
  .filter((file) => !/(?:\.test|testkit|\.states)\.ts$/.test(file))
  .map((file) => ({ file: file.slice(root.length), code: readFileSync(file, "utf8") }));

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

describe("texts", () => {
  const [en, de] = LANGUAGES.map((language) => flatten(readTexts(root, language)));

  it("are complete in both languages, with the same parameters", () => {
    expect([...de!.keys()].toSorted()).toEqual([...en!.keys()].toSorted());
    const parameters = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).toSorted();
    for (const [key, text] of en!)
      expect({ key, parameters: parameters(de!.get(key)!) }).toEqual({ key, parameters: parameters(text) });
    for (const text of [...en!.values(), ...de!.values()]) expect(text.trim()).not.toBe("");
  });

  it("have one name for the control panel, as the glossary says", () => {
    const others = (texts: Map<string, string>, other: RegExp) => [...texts].filter(([, text]) => other.test(text));
    expect(others(en!, /(?<!control )\bpanels?\b|administration/i)).toEqual([]);
    expect(others(de!, /\bPanels?\b|Kontroll(?:panel|zentrum)|Admin-?bereich/i)).toEqual([]);
  });

  it("exist for every key that the code names", () => {
    const has = (key: string) => en!.has(key) || en!.has(`${key}_other`);
    const startsWith = (prefix: string) => [...en!.keys()].some((key) => key.startsWith(prefix));
    const missing: string[] = [];
    for (const { file, code } of sources) {
      for (const [, key] of code.matchAll(/(?:\bt\(|label: |title: |text: )"([a-z]\w*(?:\.\w+)+)"/gi))
        if (!has(key!)) missing.push(`${file}: ${key}`);
      for (const [, prefix] of code.matchAll(/\bt\(`([a-z][\w.]*\.)\$\{/gi))
        if (!startsWith(prefix!)) missing.push(`${file}: ${prefix}*`);
    }
    expect(missing).toEqual([]);
  });

  it("are all used", () => {
    const own = globSync(`${root}src/**/*.text.en.json`).flatMap((file) => {
      const feature = file.split("/").at(-1)!.split(".")[0]!;
      return [...flatten(JSON.parse(readFileSync(file, "utf8")) as Tree, `${feature}.`).keys()];
    });
    const core = [...flatten(JSON.parse(readFileSync(`${root}src/core/text/en.json`, "utf8")) as Tree).keys()];
    const code = sources.map((source) => source.code).join("\n");
    const prefixes = [...code.matchAll(/`([a-z][\w.]*\.)\$\{/gi)].map(([, prefix]) => prefix!);
    const unused = [...own, ...core]
      .map((key) => key.replace(/_(?:one|other)$/, ""))
      .filter(
        (key) =>
          !code.includes(`"${key}"`) &&
          !prefixes.some((prefix) => key.startsWith(prefix)) &&
          !key.startsWith("web.errors.") &&
          !key.endsWith("Hint") &&
          // Read by the build.
          !key.endsWith(".$panelOnly"),
      );
    expect(unused).toEqual([]);
  });
});

describe("rules of the source", () => {
  it("reads time only in the clock", () => {
    const clocks = /\b(?:Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|performance\.now\()/;
    expect(sources.filter(({ file, code }) => file !== "src/core/clock.ts" && clocks.test(code)).map(({ file }) => file)).toEqual(
      [],
    );
  });

  it("keeps colours in the theme", () => {
    const styles = globSync(`${root}src/**/*.{css,tsx}`).map((file) => ({
      file: file.slice(root.length),
      code: readFileSync(file, "utf8"),
    }));
    expect(
      styles.filter(({ code }) => /#[0-9a-f]{3,8}\b(?![-\w])/i.test(code.replace(/"#[a-z]+\//g, ""))).map(({ file }) => file),
    ).toEqual([]);
  });

  it("keeps ui/ and core/ free of features, and ui/ free of calls", () => {
    const wrong = sources.filter(({ file, code }) => /^src\/(?:ui|core)\//.test(file) && code.includes('"#features/'));
    const calling = sources.filter(
      ({ file, code }) => file.startsWith("src/ui/") && /\bapi\b|react-query|contract\/(?!core)/.test(code),
    );
    expect([...wrong, ...calling].map(({ file }) => file)).toEqual([]);
  });

  it("reads storage only in one module, which cannot throw", () => {
    const direct = sources.filter(
      ({ file, code }) =>
        !["src/core/storage.ts", "src/core/preferences.ts"].includes(file) && /\b(?:local|session)Storage\b/.test(code),
    );
    expect(direct.map(({ file }) => file)).toEqual([]);
  });

  it("keeps files within 400 lines", () => {
    expect(sources.filter(({ code }) => code.split("\n").length > 400).map(({ file }) => file)).toEqual([]);
  });
});

describe("a contract", () => {
  it("is loaded by its exports: a page that asks for a permission loads no operations", () => {
    const permission = { id: "a.list", attributes: {} };
    const code = indexOf({ thingPermissions: { list: permission }, Thing: Nullable(Instant), fields: ["x"] }, "a.contract.ts");
    expect(code.trim().split("\n")).toEqual([
      'export { thingPermissions } from "./a.contract.ts?export=thingPermissions";',
      'export { fields } from "./a.contract.ts?export=fields";',
    ]);
    const named = exportsOf("/x/packages/server/src/features/a/a.contract.ts", code);
    expect(named.get("fields")).toBe("/x/packages/server/src/features/a/a.contract.ts?export=fields");
  });
});

describe("lightModule", () => {
  it("keeps what a browser needs and removes schemas and functions", () => {
    const code = lightModule({
      getThing: {
        id: "a.get",
        method: "GET",
        path: "/api/a/:id",
        summary: "s",
        access: { kind: "permission", anyOf: ["a.list"] },
        input: {},
        output: Instant,
        errors: [],
        example: {},
      },
      thingTopic: { name: "things/:id", kind: "event", access: {}, message: Instant },
      carsTopic: {
        name: "cars",
        kind: "event",
        access: {},
        message: Instant,
        carries: { answers: [{ id: "cars.get", method: "GET", path: "/api/cars/:id", access: {} }], apart: ["photo"] },
      },
      placeTopic: { name: "places", kind: "state", rate: 4, maxAgeMs: 900, keepLatest: false, access: {}, message: Day },
      thingPermissions: {
        list: { id: "a.list", attributes: { fields: { type: "strings", values: ["x"] } } },
      },
      thingView: { id: "a.view", schema: Instant, default: { wide: true }, per: "account", version: 1 },
      thingErrors: { notFound: { code: "a.notFound", status: 404, params: ["x"] } },
      fields: ["x", "y"],
      Thing: Nullable(Instant),
      Date: Day,
      Kind: OneOf(["a"]),
      helper: () => 1,
    });
    expect(code).toContain('"carries":{"apart":["photo"],"answers":[{"id":"cars.get","path":"/api/cars/:id"}]}');
    expect(code).toContain('{"id":"a.get","method":"GET","path":"/api/a/:id","access":{"kind":"permission","anyOf":["a.list"]}}');
    expect(code).toContain('thingView = /* @__PURE__ */ {"id":"a.view","default":{"wide":true},"per":"account"}');
    expect(code).toContain('thingTopic = /* @__PURE__ */ {"name":"things/:id","kind":"event"}');
    expect(code).toContain(
      'placeTopic = /* @__PURE__ */ {"name":"places","kind":"state","rate":4,"maxAgeMs":900,"keepLatest":false,',
    );
    expect(code).toContain('{"list":{"id":"a.list","attributes":{"fields":{"type":"strings","values":["x"]}}}}');
    expect(code).toContain('{"notFound":{"code":"a.notFound","status":404}}');
    expect(code).toContain('fields = /* @__PURE__ */ ["x","y"]');
    expect(code).not.toMatch(/export const (?:Thing|Date|Kind|helper)\b|summary|integer/);
  });
});

describe("the schemas of forms", () => {
  const operation = {
    input: {
      body: {
        type: "object",
        required: ["settings"],
        properties: { settings: { type: "object", description: "All", properties: { description: { type: "string" } } } },
      },
    },
  };

  it("are the body of an operation, or a part of it, without what only people read", () => {
    expect(formContract(operation, ["settings"])).toEqual({
      at: "settings",
      schema: { type: "object", properties: { description: { type: "string" } } },
    });
    expect(formContract(operation, [])?.schema).toMatchObject({ required: ["settings"] });
    expect(formContract(operation, ["setting"])).toBeNull();
    expect(formContract(undefined, [])).toBeNull();
  });

  it("exist for every form that names one", async () => {
    const named = sources.flatMap(({ code }) => [...code.matchAll(/"virtual:form\/([\w./-]+)"/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect({ name, found: (await contractOfForm(root, name)) !== null }).toEqual({ name, found: true });
  });
});

import { createAccount } from "@rollcall/server/contract/accounts";
import { putNotice } from "@rollcall/server/contract/notices";
import { putSettings } from "@rollcall/server/contract/settings";
import { describe, expect, it } from "vitest";
import { Problem } from "#core/problem.ts";
import { cleaned, isSame, limitsOf, withValue, type FormContract } from "./contract.ts";
import { errorsOf, fieldOf } from "./errors.ts";
import { differences, merged, proposed } from "./merge.ts";

const plain = (at: string, schema: unknown) => ({ at, schema: JSON.parse(JSON.stringify(schema)) }) as FormContract;
const notice = plain("", putNotice.input.body);
const settings = plain("settings", putSettings.input.body.properties.settings);
const account = plain("", createAccount.input.body);

describe("the contract of a form", () => {
  it("says what is required and where the limits are", () => {
    expect(limitsOf(notice, "title")).toEqual({ required: true, maxLength: 120 });
    expect(limitsOf(notice, "text")).toEqual({ required: false, maxLength: 2000 });
    expect(limitsOf(notice, "attachments")).toEqual({ required: false, maxItems: 10 });
    expect(limitsOf(settings, "files.maxUploadMegabytes")).toEqual({ required: true, minimum: 1, maximum: 1024 });
    expect(() => limitsOf(notice, "titel")).toThrow("titel");
  });

  it("has values without space around them, and without what was emptied", () => {
    expect(cleaned(account.schema, { licence: " license:1 ", username: "  " })).toEqual({ licence: "license:1" });
    expect(cleaned(notice.schema, { title: " a ", text: "" })).toEqual({ title: "a", text: "" });
    expect(cleaned(notice.schema, { title: " a " }, ["title"])).toEqual({ title: " a " });
    expect(cleaned(settings.schema, { files: { maxUploadMegabytes: "" } })).toEqual({ files: {} });
  });
});

describe("errors", () => {
  it("are at their fields, all of them, with the limit that they name", () => {
    const values = { version: 1, title: "", text: "x".repeat(2001), expiresAt: null, access: { public: true, entries: [{}] } };
    expect(errorsOf(notice, values)).toMatchObject({
      title: { kind: "needed" },
      text: { kind: "longer", count: 2000 },
      "access.entries.0.level": { kind: "needed" },
    });
    expect(errorsOf(settings, { files: { maxUploadMegabytes: 4000 } })).toMatchObject({
      "files.maxUploadMegabytes": { kind: "higher", count: 1024 },
      general: { kind: "needed" },
    });
    expect(errorsOf(settings, { files: { maxUploadMegabytes: 1.5 } })["files.maxUploadMegabytes"]).toEqual({
      kind: "wholeNumber",
    });
    expect(errorsOf(settings, { website: { imprintUrl: "imprint" } })["website.imprintUrl"]).toEqual({ kind: "form" });
  });

  it("are more than the eight that the library reports by default", () => {
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_one, n) => [`f${n}`, { type: "string", minLength: 1 }]));
    const values = Object.fromEntries(Object.keys(properties).map((name) => [name, ""]));
    expect(Object.keys(errorsOf({ at: "", schema: { type: "object", properties } }, values))).toHaveLength(40);
  });

  it("of the server are at the field that they name, also within a part of the body", () => {
    const refused = (field: string) => new Problem("system.invalidInput", 400, { params: { field, problem: "x" } });
    expect(fieldOf(settings, refused("settings.general.name"), ["general.name"])).toBe("general.name");
    expect(fieldOf(notice, refused("access.entries.0.job"), ["title", "access.entries"])).toBe("access.entries");
    expect(fieldOf(notice, refused("version"), ["title"])).toBeNull();
    expect(fieldOf(notice, new Problem("notices.stale", 409), ["title"])).toBeNull();
  });
});

describe("a conflict", () => {
  const base = { title: "a", text: "a", general: { name: "a" } };
  const mine = { title: "mine", text: "mine", general: { name: "a" } };
  const theirs = { title: "theirs", text: "a", general: { name: "theirs" } };
  const found = differences(["title", "text", "general.name"], base, mine, theirs);

  it("leaves to choose what both changed, and proposes the change of one", () => {
    expect(found.map(({ field, changedBy }) => [field, changedBy])).toEqual([
      ["title", null],
      ["text", "mine"],
      ["general.name", "theirs"],
    ]);
    expect(proposed(found)).toEqual({ text: "mine", "general.name": "theirs" });
  });

  it("ends with the chosen fields on what is stored", () => {
    expect(merged(theirs, found, { ...proposed(found), title: "theirs" })).toEqual({
      title: "theirs",
      text: "mine",
      general: { name: "theirs" },
    });
    expect(merged(theirs, found, { ...proposed(found), title: "mine" }).title).toBe("mine");
  });

  it("is none where both made the same change", () => {
    expect(differences(["title"], base, mine, { ...theirs, title: "mine" })).toEqual([]);
    expect(isSame({ a: 1, b: [{ c: 1, d: undefined }] }, { b: [{ c: 1 }], a: 1 })).toBe(true);
    expect(withValue(base, "general.name", "b")).toEqual({ ...base, general: { name: "b" } });
  });
});

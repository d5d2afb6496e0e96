import { describe, expect, it } from "vitest";
import type { Translate } from "#core/i18n.ts";
import { hiddenText } from "./fieldHint.tsx";
import { unsavedNames } from "./formContext.ts";
import { gradeBeside } from "./names.ts";

const t = ((_key: string, { names, count }: { names: string; count: number }) => `${names} +${count}`) as unknown as Translate;

describe("the names of what is not saved", () => {
  const labels = ["One", "Two", "Three", "Four", "Five", "Six"];
  const fields = Object.fromEntries(labels.map((label, at) => [`at.${at}`, { label }]));
  const named = (count: number) => unsavedNames(t, { fields }, { changed: Object.keys(fields).slice(0, count) });

  it("are all of them when there are few", () => {
    expect([named(1), named(4)]).toEqual(["One", "One, Two, Three, Four"]);
  });

  it("are the first ones and a number when a form of many switches is changed", () => {
    expect(named(6)).toBe("One, Two, Three, Four +2");
  });
});

it("a grade is written beside its job unless both are called the same", () => {
  expect(["Cadet", "Unemployed", undefined, ""].map((grade) => gradeBeside("Unemployed", grade))).toEqual([
    "Cadet",
    null,
    null,
    null,
  ]);
});

describe("fields that a page does not show", () => {
  const keyed = ((key: string, params: object) => `${key} ${JSON.stringify(params)}`) as unknown as Translate;
  const hidden = (holds: boolean, ...fields: string[]) =>
    hiddenText(keyed, { language: "en", right: "List citizens", holds, fields });

  it("are missing in the permission of somebody who has it", () => {
    expect(hidden(true, "Visa", "Playtime")).toBe(
      'web.hidden.lacks {"count":2,"right":"List citizens","fields":"Visa and Playtime"}',
    );
  });

  it("need the permission of somebody who lacks it", () => {
    expect(hidden(false, "Owner")).toBe('web.hidden.needs {"count":1,"right":"List citizens","fields":"Owner"}');
  });
});

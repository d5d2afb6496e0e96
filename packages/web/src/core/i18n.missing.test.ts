import i18next from "i18next";
import { afterEach, expect, test, vi } from "vitest";
import { reportMissing } from "./i18n.missing.ts";

afterEach(() => vi.unstubAllGlobals());

/** What is reported while a text is shown by an instance that is set up as the application's. */
async function reported(key: string, options: { readonly count?: number; readonly defaultValue?: string }): Promise<string[]> {
  const faults: string[] = [];
  vi.stubGlobal("reportError", (error: Error) => faults.push(error.message));
  const own = i18next.createInstance();
  await own.init({
    lng: "en",
    fallbackLng: false,
    resources: { en: { translation: { title: "Records", records_one: "{{count}} record", records_other: "{{count}} records" } } },
    saveMissing: true,
    missingKeyHandler: reportMissing,
  });
  own.t(key, options);
  return faults;
}

test.each([
  ["title", {}],
  ["records", { count: 1 }],
  ["records", { count: 2 }],
])("the text %s with %o is there", async (key, options) => expect(await reported(key, options)).toEqual([]));

test("a missing text is reported", async () => {
  expect(await reported("gone", {})).toEqual(["there is no text gone"]);
});

test("a missing text with a count is reported, with its forms", async () => {
  expect(await reported("gone", { count: 2 })).toEqual(["there is no text gone_one", "there is no text gone_other"]);
});

test.each([{}, { count: 2 }])("a default of the caller is no fault, with %o", async (options) => {
  expect(await reported("gone", { ...options, defaultValue: "Gone" })).toEqual([]);
});

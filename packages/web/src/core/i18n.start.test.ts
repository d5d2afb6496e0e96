import { afterEach, expect, it, vi } from "vitest";

vi.mock("virtual:texts/en", () => ({ default: {}, bundles: {} }));
vi.mock("virtual:texts/de", () => ({ default: {}, bundles: {} }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it("shows a language that is chosen while the first texts are loaded", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  vi.resetModules();
  // Of this test alone: what starts here follows the preferences for good.
  const { preferences } = await import("#core/preferences.ts");
  const { startI18n } = await import("#core/i18n.ts");
  preferences.set({ ...preferences.get(), language: "en" });
  const started = startI18n();
  preferences.set({ ...preferences.get(), language: "de" });
  const texts = await started;
  await vi.waitFor(() => expect([texts.language, document.documentElement.lang]).toEqual(["de", "de"]));
});

it("writes days as the language does", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  vi.resetModules();
  const { startI18n } = await import("#core/i18n.ts");
  const texts = await startI18n();
  texts.addResourceBundle("en", "rollcall", { over: "{{day, day}} is over." }, true);
  texts.addResourceBundle("de", "rollcall", { over: "Der {{day, day}} ist vorbei." }, true);
  expect(texts.t("over", { day: "2026-12-01", lng: "en" })).toBe("1 Dec 2026 is over.");
  expect(texts.t("over", { day: "2026-12-01", lng: "de" })).toBe("Der 01.12.2026 ist vorbei.");
  expect(texts.t("over", { day: "", lng: "en" })).toBe(" is over.");
});

it("writes counts with the separators of the language", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  vi.resetModules();
  const { startI18n } = await import("#core/i18n.ts");
  const texts = await startI18n();
  texts.addResourceBundle("en", "rollcall", { people: "{{count, number}} people" }, true);
  texts.addResourceBundle("de", "rollcall", { people: "{{count, number}} Personen" }, true);
  const written = (count: number, lng: string) => texts.t("people", { count, lng });
  for (const count of [0, 7, 999, 1000, 12_345, 1_234_567, -1234, 0.5])
    for (const language of ["en", "de"])
      expect(written(count, language)).toBe(`${count.toLocaleString(language)} ${language === "en" ? "people" : "Personen"}`);
});

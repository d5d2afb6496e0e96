import { expect, test } from "vitest";
import { createErrorTexts, createExportTexts, createFindingTexts } from "./texts.ts";

test("a count chooses between singular and plural, in both languages", () => {
  const pending = (language: "en" | "de", count: number) =>
    createFindingTexts(["system"], language)("system.migrations", { count, first: "a" }).text;
  expect(pending("en", 1)).toBe("One migration is pending: a.");
  expect(pending("en", 2)).toBe("2 migrations are pending, beginning with a.");
  expect(pending("de", 1)).toMatch(/^Eine Migration /);
  expect(pending("de", 2)).toMatch(/^2 Migrationen /);
});

test("params are put into a text as they are", () => {
  expect(createErrorTexts(["accounts"])("accounts.notFound", { account: "<b>&" })).toBe("There is no account <b>&.");
  expect(createErrorTexts(["accounts"])("accounts.notFound", { account: "$t(accounts.errors.busy)" })).toBe(
    "There is no account $t(accounts.errors.busy).",
  );
});

test("days are written as the language does", () => {
  const over = (language: "en" | "de") => createErrorTexts(["jobgroups"], language)("jobgroups.dayOver", { day: "2026-12-01" });
  expect([over("en"), over("de")]).toEqual([
    "1 Dec 2026 is over. Choose a later day.",
    "Der 01.12.2026 ist vorbei. Wähle einen späteren Tag.",
  ]);
});

test("a missing text is the id", () => {
  expect(createErrorTexts(["accounts"])("accounts.unheard", {})).toBe("accounts.unheard");
  expect(createFindingTexts(["accounts"])("accounts.unheard", {})).toEqual({ text: "accounts.unheard", remedy: "" });
  expect(createExportTexts(["audit"])("audit.unheard", "de").header("at")).toBe("at");
});

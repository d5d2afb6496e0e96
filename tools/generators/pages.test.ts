import { expect, test } from "vitest";
import { exportedPages } from "./pages.ts";

test("pages are found by the type that they are exported with", () => {
  expect(exportedPages("a.pages.tsx", "export const aPages: FeaturePages = {")).toBe("aPages");
});

test("a file that exports no pages is refused by name", () => {
  expect(() => exportedPages("a.pages.tsx", "const aPages: FeaturePages = {")).toThrow("a.pages.tsx exports no FeaturePages");
});

import { expect, test } from "vitest";
import { englishText, untranslated } from "./texts.ts";

test("the texts of the frame are known, as those of features are", () => {
  const title = englishText("web.notFound.title");
  expect(untranslated([title, englishText("vehicles.empty.title")], new Set())).toHaveLength(2);
});

test("an English text that is another text in German is not missing", () => {
  expect(englishText("auth.register.title")).toBe("Register");
  expect(untranslated(["Register"], new Set())).toEqual([]);
});

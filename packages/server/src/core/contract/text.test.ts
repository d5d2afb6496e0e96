import { describe, expect, test } from "vitest";
import { anyTextOf, lineOf, textOf } from "./text.ts";

const matches = (schema: object, text: string) => new RegExp("pattern" in schema ? String(schema.pattern) : "", "u").test(text);

describe("texts that people write", () => {
  test.each([
    ["Written warning", true, true, true],
    ["  Mittagspause ", true, true, true],
    ["Überfällig – 漢字 😀", true, true, true],
    ["two\nlines\r\n", false, true, true],
    ["a\tb", false, true, true],
    ["", false, false, true],
    [" \n\t ", false, false, true],
    ["bell\u0007", false, false, false],
    ["\u001b[31mred", false, false, false],
    ["next\u0085line", false, false, false],
    ["\u0000", false, false, false],
  ])("%j as a line: %s, as a text: %s, as one that may be empty: %s", (text, line, required, optional) => {
    expect([matches(lineOf(48), text), matches(textOf(48), text), matches(anyTextOf(48), text)]).toEqual([
      line,
      required,
      optional,
    ]);
  });

  test("are judged at once, however long they are", () => {
    const started = performance.now();
    const long = " ".repeat(50_000);
    expect([matches(textOf(1), long), matches(textOf(1), `${long}a${long}\u0007`), matches(lineOf(1), long)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

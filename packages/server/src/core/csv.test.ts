import { expect, test } from "vitest";
import { csvCell, csvLine } from "./csv.ts";

test.each([
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@cmd", `"'@cmd"`],
  ["\t=1", `"'\t=1"`],
  ["\r=1", `"'\r=1"`],
  ["\n=1", '"\'\n=1"'],
  [" =1", '"\' =1"'],
  ["\u200B\uFEFF@x", '"\'\u200B\uFEFF@x"'],
  ["\uFF1D1+1", '"\'\uFF1D1+1"'],
  ["-3 °C", `"'-3 °C"`],
  [-3, '"-3"'],
  ['say "hi"', '"say ""hi"""'],
  ["a,b;c", '"a,b;c"'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["a=1", '"a=1"'],
  // A spreadsheet of which commas do not separate the cells ends them here, and does not mind the quotes.
  ["Mara;=1+1", `"Mara;'=1+1"`],
  [";@cmd;", `";'@cmd;"`],
  ['a; ""=1+1', `"a; """"'=1+1"`],
  ["a\t=1", `"a\t'=1"`],
  ["a\r\n-1", `"a\r\n'-1"`],
  ["\n\n=1", `"'\n\n'=1"`],
  ["a; b = 1", '"a; b = 1"'],
  ["Jürgen", '"Jürgen"'],
  ["", '""'],
  [null, '""'],
])("the cell %j is %s", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test("a line ends as RFC 4180 says", () => {
  expect(csvLine(["a", 1, null])).toBe('"a","1",""\r\n');
});

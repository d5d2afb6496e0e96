import { expect, it } from "vitest";
import { megabytes, sizeOf } from "./sizes.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1,023 bytes"],
  [1024, "1 kB"],
  [1536, "1.5 kB"],
  [1024 * 1024, "1 MB"],
  [1.26 * 1024 * 1024, "1.3 MB"],
  [5 * 1024 * 1024 * 1024, "5 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeOf(bytes, "en")).toBe(text);
});

it("has the separators of the language", () => {
  expect(sizeOf(1536, "de")).toBe("1,5 kB");
});

it("a limit in megabytes has one decimal at most", () => {
  expect([megabytes(1024 * 1024), megabytes(1_500_000), megabytes(1)]).toEqual([1, 1.4, 0]);
});

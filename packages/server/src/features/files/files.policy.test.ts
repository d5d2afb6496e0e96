import { expect, test } from "vitest";
import { addressEnd, nameOf, typeOf } from "./files.policy.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each<[string, string | null]>([
  ["\x89PNG\r\n\x1a\n....", "image/png"],
  ["\xff\xd8\xff\xe0....", "image/jpeg"],
  ["RIFF....WEBPVP8 ", "image/webp"],
  ["GIF89a....", "image/gif"],
  ["%PDF-1.7", "application/pdf"],
  ["hello\nworld", "text/plain"],
  ["<svg xmlns='http://www.w3.org/2000/svg'/>", "text/plain"],
  ["<html><script>", "text/plain"],
  ["RIFF....WAVE", "text/plain"],
  ["", null],
  ["\x89PNG", null],
  ["MZ\x90\x00", null],
  ["PK\x03\x04", null],
  ["\xfe\xff\x00h", null],
])("%j is %s", (text, type) => {
  expect(typeOf(bytes(text))).toBe(type);
});

test("text that is cut within a character is text", () => {
  expect(typeOf(Buffer.from("Grüße 👋").subarray(0, -2))).toBe("text/plain");
});

test("names lose folders, control characters and changes of direction", () => {
  expect(nameOf("../../etc/passwd")).toBe("passwd");
  expect(nameOf("C:\\Users\\mara\\Bild 1.png")).toBe("Bild 1.png");
  expect(nameOf("gpj.\u202eexe\r\nx: y")).toBe("gpj.exex: y");
  expect(nameOf("/")).toBe("file");
  expect(nameOf("x".repeat(300))).toHaveLength(200);
});

test("signed URLs expire four to eight hours from now, at the same instant for four hours", () => {
  const hour = 60 * 60_000;
  const start = 1000 * 4 * hour;
  expect(addressEnd(start)).toBe(start + 8 * hour);
  expect(addressEnd(start + 4 * hour - 1)).toBe(start + 8 * hour);
  expect(addressEnd(start + 4 * hour)).toBe(start + 12 * hour);
});

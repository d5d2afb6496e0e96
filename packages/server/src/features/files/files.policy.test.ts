import { expect, test } from "vitest";
import {
  addressEnd,
  attachability,
  hasRoom,
  mostUnusedBytes,
  mostUnusedFiles,
  nameOf,
  ownerless,
  ownersByKind,
  typeOf,
} from "./files.policy.ts";

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

const me = 7;
const [mine, others] = [me, 8];
test.each<[string, { kind?: string; owner: string; account_id: number | null }, string[], boolean, string]>([
  ["uploaded by oneself for this owner", { owner: "1", account_id: mine }, [], false, "yes"],
  ["uploaded by oneself for no owner yet", { owner: ownerless, account_id: mine }, [], false, "yes"],
  ["attached to it already", { owner: "2", account_id: others }, ["1"], false, "yes"],
  ["uploaded by somebody else for this owner", { owner: "1", account_id: others }, [], false, "asCoAuthor"],
  ["whose uploader was purged", { owner: "1", account_id: null }, [], false, "asCoAuthor"],
  ["of another object, of a kind that copies", { owner: "2", account_id: others }, ["2"], true, "asViewer"],
  ["of another object, of a kind that does not copy", { owner: "2", account_id: others }, ["2"], false, "no"],
  ["uploaded by somebody else for no owner yet", { owner: ownerless, account_id: others }, [], true, "no"],
  ["uploaded by oneself for another object", { owner: "2", account_id: mine }, [], true, "no"],
  ["of another kind", { kind: "a.card", owner: "1", account_id: mine }, ["1"], true, "no"],
])("a file %s", (_what, file, owners, copies, expected) => {
  const about = { kind: { kind: "a.sheet", copies }, owner: "1", accountId: me };
  expect(attachability({ kind: "a.sheet", ...file }, owners, about)).toBe(expected);
});

test("owners are grouped by kind, each once", () => {
  const to = (kind: string, owner: string, file_id: number) => ({ kind, owner, file_id, attached_at: 0 });
  const found = ownersByKind([to("a", "1", 1), to("b", "1", 1), to("a", "1", 2), to("a", "2", 1)]);
  expect([...found]).toEqual([
    ["a", ["1", "2"]],
    ["b", ["1"]],
  ]);
});

test.each<[string, number[], number, boolean]>([
  ["nothing unused", [], 1, true],
  ["a single file above the limit of bytes", [], mostUnusedBytes + 1, true],
  ["exactly the limit of bytes", [mostUnusedBytes - 5], 5, true],
  ["one byte above it", [mostUnusedBytes - 5], 6, false],
  ["the last file", Array.from({ length: mostUnusedFiles - 1 }, () => 1), 1, true],
  ["one file too many", Array.from({ length: mostUnusedFiles }, () => 1), 1, false],
])("an account with unused files may store another one: %s", (_what, sizes, bytes, expected) => {
  expect(hasRoom(sizes, bytes)).toBe(expected);
});

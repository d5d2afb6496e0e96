import { describe, expect, test } from "vitest";
import { createSigner } from "./signer.ts";

const signer = createSigner("a cookie secret of some length");

describe("marks of addresses", () => {
  test("hold for the text and purpose they were made for", () => {
    const mark = signer.sign("files.file", "42");
    expect(mark).toMatch(/^[\w-]{22}$/);
    expect(signer.verify("files.file", "42", mark)).toBe(true);
    expect(signer.verify("files.file", "43", mark)).toBe(false);
    expect(signer.verify("files.other", "42", mark)).toBe(false);
    expect(createSigner("another cookie secret here").verify("files.file", "42", mark)).toBe(false);
  });

  test.each(["", "x", "=".repeat(22), "A".repeat(22), "A".repeat(23)])("%j is none", (mark) =>
    expect(signer.verify("files.file", "42", mark)).toBe(false),
  );

  test("has one spelling only", () => {
    const mark = signer.sign("files.file", "42");
    expect(signer.verify("files.file", "42", `${mark}=`)).toBe(false);
    expect(signer.verify("files.file", "42", ` ${mark}`)).toBe(false);
  });
});

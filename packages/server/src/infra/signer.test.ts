import { describe, expect, test } from "vitest";
import { createSigner } from "./signer.ts";

const signer = createSigner("a cookie secret of some length");

describe("signatures of URLs", () => {
  test("are valid for their text and purpose only", () => {
    const signature = signer.sign("files.file", "42");
    expect(signature).toMatch(/^[\w-]{22}$/);
    expect(signer.verify("files.file", "42", signature)).toBe(true);
    expect(signer.verify("files.file", "43", signature)).toBe(false);
    expect(signer.verify("files.other", "42", signature)).toBe(false);
    expect(createSigner("another cookie secret here").verify("files.file", "42", signature)).toBe(false);
  });

  test.each(["", "x", "=".repeat(22), "A".repeat(22), "A".repeat(23)])("%j is not valid", (signature) =>
    expect(signer.verify("files.file", "42", signature)).toBe(false),
  );

  test("have one spelling only", () => {
    const signature = signer.sign("files.file", "42");
    expect(signer.verify("files.file", "42", `${signature}=`)).toBe(false);
    expect(signer.verify("files.file", "42", ` ${signature}`)).toBe(false);
  });
});

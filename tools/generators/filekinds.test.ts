import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fileKinds } from "../../packages/server/src/features/files/files.kinds.contract.ts";
import { fileKindsOf } from "./filekinds.ts";
import { releasedDocument } from "./openapi.ts";

test("kinds of files are read as text", () => {
  const text = 'export const scanKind = defineFileKind("papers.scan", { owner: "the number of the paper" });';
  expect(fileKindsOf("a.contract.ts", text)).toEqual([{ kind: "papers.scan", owner: "the number of the paper" }]);
  expect(fileKindsOf("a.contract.ts", "export const a = 1;")).toEqual([]);
  expect(() => fileKindsOf("a.contract.ts", "defineFileKind(name, { owner })")).toThrow("a.contract.ts defines a kind of files");
});

test("an author of programs finds every kind of files, and what its owner is, in the description of the API and in files.md", () => {
  const { paths } = releasedDocument();
  const described = ["/api/files/{kindOrId}/{ownerOrVariant}", "/api/files/new/{kind}", "/api/files/limits/{kind}"].map((one) =>
    JSON.stringify(paths[one]),
  );
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/operate/files.md"), "utf8");
  for (const { kind, owner } of fileKinds) {
    expect(described.filter((one) => !one.includes(`\`${kind}\``))).toEqual([]);
    expect(described[0]).toContain(owner);
    expect(page).toContain(`| \`${kind}\` | ${owner} |`);
  }
});

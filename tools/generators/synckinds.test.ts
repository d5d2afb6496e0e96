import { expect, test } from "vitest";
import { kindsOf } from "./synckinds.ts";

test("sync kinds are read as text", () => {
  const text = 'sync: [defineSyncKind({ kind: "papers", manifest: true, key: "no", operations: [syncPapers] })],';
  expect(kindsOf("a.contract.ts", text)).toEqual([{ kind: "papers", manifest: true }]);
  expect(kindsOf("a.contract.ts", "export const a = 1;")).toEqual([]);
  expect(() => kindsOf("a.contract.ts", "defineSyncKind({ kind, manifest: true })")).toThrow("a.contract.ts defines a sync kind");
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { features } from "../../packages/server/src/app/features.ts";

const folder = path.resolve(import.meta.dirname, "../../docs/operate");
const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));

describe("the pages of docs/operate", () => {
  it("link to existing files", () => {
    for (const page of pages)
      for (const [, link = ""] of readFileSync(path.join(folder, page), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g))
        expect(existsSync(path.resolve(folder, link)), `${page} links to ${link}`).toBe(true);
  });

  it("name the retention of every schedule that removes something", () => {
    const text = readFileSync(path.join(folder, "retention.md"), "utf8");
    const jobs = features.flatMap(({ contract }) => contract.schedules ?? []);
    expect(jobs.filter(({ id }) => /purge|cleanUp|retention/i.test(id))).toEqual([]);
    const removing = features.flatMap(({ contract }) => contract.retention ?? []);
    expect(removing.length).toBeGreaterThan(5);
    for (const { id } of removing) expect(text).toContain(`\`${id}\``);
  });
});

import { expect, test } from "vitest";
import { pageAt } from "./address.ts";

const pages = ["/", "/citizens", "/notifications", "/notifications/lookups"].map((to) => ({ to }));

test.each([
  ["/", "/"],
  ["/citizens", "/citizens"],
  ["/citizens/12", "/citizens"],
  ["/notifications/lookups", "/notifications/lookups"],
  ["/citizensother", undefined],
  ["/nothing/here", undefined],
])("at %s is the page %s", (path, to) => expect(pageAt(pages, path)?.to).toBe(to));

import { expect, test } from "vitest";
import { titleOf } from "./title.ts";

test.each([
  [["Mara Lind", "Citizens", "Rollcall"], "Mara Lind · Citizens · Rollcall"],
  [[null, "Citizens", "Rollcall"], "Citizens · Rollcall"],
  [["", undefined, "Rollcall"], "Rollcall"],
])("the title of %j", (parts, title) => expect(titleOf(...parts)).toBe(title));

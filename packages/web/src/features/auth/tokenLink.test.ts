import { expect, test, vi } from "vitest";
import { Problem } from "#core/problem.ts";
import { lookUpToken, unknownLink } from "./tokenLink.ts";

const link = "7K2M-Q9XA-4B0T-ZC8W-1N5E-R7HJ-3VGD-KP6S-YF2Q-M9TA-0X4B-C8ZW-N100";
const refusing = (problem: unknown) => async () => await Promise.reject(problem);

test("a token that can be used names its account", async () => {
  expect(await lookUpToken(link, async () => await Promise.resolve({ username: "mara" }))).toEqual({
    username: "mara",
    ended: false,
  });
});

test("one that was used, revoked or has expired is known to have ended", async () => {
  const refused = new Problem("system.linkInvalid", 401);
  expect(await lookUpToken(link, refusing(refused))).toEqual({ username: null, ended: true });
});

test("after another failure nothing is known", async () => {
  for (const problem of [new Problem("web.offline", 0), new Problem("system.rateLimited", 429), new Error("?")])
    expect(await lookUpToken(link, refusing(problem))).toEqual(unknownLink);
});

test("what cannot be a token is not sent", async () => {
  const open = vi.fn<() => Promise<{ username: null }>>();
  for (const text of ["", "a\nb", "ü"]) expect(await lookUpToken(text, open)).toEqual(unknownLink);
  expect(open).not.toHaveBeenCalled();
});

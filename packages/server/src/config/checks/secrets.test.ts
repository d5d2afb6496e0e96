import { expect, it } from "vitest";
import { load, soundConfig, soundSecrets } from "../config.testkit.ts";

it.each([
  ["a blank at its end", `"${"Xk3v9Qw7".repeat(4)} "`],
  ["a blank at its beginning", `" ${"Xk3v9Qw7".repeat(4)}"`],
  ["a line break at its end", `"${"Xk3v9Qw7".repeat(4)}\\n"`],
])("a sync token with %s is refused with the remedy", (_what, token) => {
  const loaded = load(soundConfig.replace(`[${soundSecrets.sync}`, `[${soundSecrets.sync}, ${token}`));
  const problem = {
    path: "sync.apiTokens[1]",
    what: expect.stringContaining("blank or line break"),
    instead: "write it without",
  };
  expect(loaded).toMatchObject({ ok: false, problems: [problem] });
});

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { soundConfig, workingDirectory } from "#config/config.testkit.ts";
import { boxed, loginsCommand, type Welcome, welcomeLines, withoutEffectText } from "./welcome.ts";

const url = "http://localhost:8080";
const nothing: Welcome = { url, setup: null, demo: null, hasDemo: false, by: "start" };
const demo = { counts: {}, logins: [{ username: "chief", password: "secret", plays: "Mara Lind, Chief" }] };

test("a start leads on: to the setup, to the logins of its demo city, or to the command that shows them again", () => {
  const of = (welcome: Partial<Welcome>) => welcomeLines({ ...nothing, ...welcome }).join("\n");
  expect(of({ setup: `${url}/setup#key` })).toMatch(/Rollcall is at [^]*\/setup#key\n[^]*Next:/);
  expect(of({ demo })).toMatch(/chief {2}secret {12}Mara Lind, Chief[^]*Show the logins again/);
  expect(of({ hasDemo: true })).toContain(`  ${loginsCommand}`);
  for (const welcome of [{ demo }, { hasDemo: true }]) expect(of(welcome)).toContain("drive around: npx rollcall demo drive");
  for (const welcome of [nothing, { ...nothing, setup: "x" }]) expect(welcomeLines(welcome).join()).not.toContain("demo");
  expect(of({ demo })).not.toContain("first admin");
});

test("the box is as wide as its longest line, and counts letters instead of bytes", () => {
  expect(boxed(["Łódź", "", "a line"])).toBe("┌────────┐\n│ Łódź   │\n│        │\n│ a line │\n└────────┘\n");
});

test("serve names commands that an installation without npm has", () => {
  const text = welcomeLines({ ...nothing, by: "serve" }).join("\n");
  expect(text).toContain("start again: rollcall serve");
  expect(text).not.toMatch(/np[mx]/);
});

test("a terminal that is too narrow gets the lines alone", () => {
  expect(boxed(["a line"], 10)).toBe("┌────────┐\n│ a line │\n└────────┘\n");
  expect(boxed(["a line", "b"], 9)).toBe("a line\nb\n");
});

test("a start that counts options without effect names the command that lists them", () => {
  const text = withoutEffectText(["chat.token", "dispatchCenter.type"], true);
  const [, command = ""] = /`rollcall (.+)`/.exec(text) ?? [];
  const program = fileURLToPath(new URL("../../bin/rollcall.cjs", import.meta.url));
  const { PATH } = process.env;
  const { stdout } = spawnSync(process.execPath, [program, ...command.split(" ")], {
    cwd: workingDirectory(soundConfig),
    encoding: "utf8",
    env: { ...(PATH !== undefined && { PATH }) },
  });
  for (const option of ["chat.token", "dispatchCenter.type"]) expect(stdout).toMatch(new RegExp(`^ {2}${option}$`, "m"));
  expect(withoutEffectText(["chat.token"], true)).toContain("chat.token");
});

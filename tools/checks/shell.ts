import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Check } from "./check.ts";
import { root } from "./repository.ts";

const shebang = /^#!.*\b(?:ba|da|k)?sh\b/;

function isShellScript(file: string): boolean {
  if (file.endsWith(".sh")) return true;
  return path.extname(file) === "" && shebang.test(readFileSync(path.join(root, file), "utf8").split("\n", 1)[0] ?? "");
}

/** The shell scripts of the repository, committed or not yet. */
export function shellScripts(): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const deleted = new Set(execFileSync("git", ["ls-files", "-z", "--deleted"], { cwd: root, encoding: "utf8" }).split("\0"));
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  return files.filter((file) => file !== "" && !deleted.has(file) && isShellScript(file));
}

export const hasShellcheck = spawnSync("shellcheck", ["--version"]).status === 0;

/** What shellcheck reports on these files, down to matters of style. */
export function shellFaults(files: readonly string[]): readonly string[] {
  if (!hasShellcheck) return ["shellcheck is missing: install the package shellcheck of your system"];
  if (files.length === 0) return ["there is no shell script to check"];
  const { status, stdout, stderr } = spawnSync("shellcheck", ["--norc", "--format=gcc", "--severity=style", "--", ...files], {
    cwd: root,
    encoding: "utf8",
  });
  const faults = stdout.split("\n").filter((line) => line !== "");
  // It ends with 2 for a file that it cannot read, and prints that elsewhere.
  return status === 0 || faults.length > 0 ? faults : [`shellcheck ended with ${status}: ${stderr.trim()}`];
}

export const check: Check = {
  name: "shell scripts (shellcheck)",
  faults: async () => await Promise.resolve(shellFaults(shellScripts())),
};

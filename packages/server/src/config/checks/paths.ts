import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { DegradedPart } from "../finding.ts";
import type { CheckContext } from "./context.ts";

type Need = "readable file" | "readable folder" | "writable folder";

/** What is wrong with a path, or null. */
function pathTrouble(file: string, need: Need): string | null {
  try {
    const stats = statSync(file);
    if (need === "readable file" ? !stats.isFile() : !stats.isDirectory()) return `${file} is not a ${need.split(" ")[1]}`;
    const access = need === "writable folder" ? constants.R_OK | constants.W_OK | constants.X_OK : constants.R_OK;
    accessSync(file, access);
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return `${file} does not exist`;
    return `${file} is not ${need === "writable folder" ? "writable" : "readable"} for this user`;
  }
}

/** A path that was set must work; one that comes from a default only leaves its part degraded. */
function checkPath(
  context: CheckContext,
  option: string,
  file: string | undefined,
  need: Need,
  part: DegradedPart,
  without: string,
): void {
  if (file === undefined) return;
  const trouble = pathTrouble(file, need);
  if (trouble === null) return;
  if (context.isSet(option)) context.problem(option, trouble, `write the path of a ${need}, or create it`);
  else context.warning(option, `${trouble}; ${without}`, `create it, or set ${option}`, part);
}

export function checkPaths(context: CheckContext): void {
  const { storage, icons, postalsFile, log } = context.draft;
  if (storage.type === "filesystem") {
    checkPath(context, "storage.filesystem.path", storage.filesystem.path, "writable folder", "storage", "uploads do not work");
  }
  checkPath(context, "postalsFile", postalsFile, "readable file", "postals", "postal codes are not shown");
  // Where nothing lies at the default, the set that comes with the program is used.
  const iconTrouble = icons.path === undefined || icons.proxy !== false ? null : pathTrouble(icons.path, "readable folder");
  if (iconTrouble !== null && context.isSet("icons.path"))
    context.problem("icons.path", iconTrouble, "write the path of a readable folder, or create it");
  if (log.logToFile && log.file.path !== undefined) checkLogFile(context, log.file.path);
}

/** The log file may be new and its folders too, but they must be possible. */
function checkLogFile(context: CheckContext, file: string): void {
  let existing = file;
  while (!exists(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  const isFile = existing === file;
  const need = isFile ? constants.W_OK : constants.W_OK | constants.X_OK;
  const isRightKind = isFile ? statSync(file).isFile() : statSync(existing).isDirectory();
  if (isRightKind && isAccessible(existing, need)) return;
  context.problem("log.file.path", `${file} cannot be written`, "write a path in a folder that this user may write to");
}

function exists(file: string): boolean {
  return isAccessible(file, constants.F_OK);
}

function isAccessible(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}

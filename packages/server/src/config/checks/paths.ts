import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { CheckContext } from "./context.ts";

type Requirement = "readable file" | "readable folder" | "writable folder";

/** The problem with a path, or null. */
function pathTrouble(file: string, required: Requirement): string | null {
  try {
    const stats = statSync(file);
    if (required === "readable file" ? !stats.isFile() : !stats.isDirectory())
      return `${file} is not a ${required.split(" ")[1]}`;
    const access = required === "writable folder" ? constants.R_OK | constants.W_OK | constants.X_OK : constants.R_OK;
    accessSync(file, access);
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return `${file} does not exist`;
    return `${file} is not ${required === "writable folder" ? "writable" : "readable"} for this user`;
  }
}

/** An invalid configured folder is a problem; an invalid default only degrades uploads. */
function checkUploads(context: CheckContext): void {
  const { storage } = context.draft;
  const option = "storage.filesystem.path";
  if (storage.type !== "filesystem" || storage.filesystem.path === undefined) return;
  const trouble = pathTrouble(storage.filesystem.path, "writable folder");
  if (trouble === null) return;
  if (context.isSet(option)) context.problem(option, trouble, "write the path of a writable folder, or create it");
  else context.warning(option, `${trouble}; uploads do not work`, `create it, or set ${option}`, { code: null }, "storage");
}

/** Nothing needs postal codes: without a file of one's own there are none, and only a configured one can be missing. */
function checkPostals(context: CheckContext): void {
  const { postalsFile } = context.draft;
  const trouble = postalsFile === undefined ? null : pathTrouble(postalsFile, "readable file");
  if (trouble === null) return;
  if (context.isSet("postalsFile"))
    context.warning(
      "postalsFile",
      `${trouble}; postal codes are not shown`,
      "write the path of a readable file, or create it",
      { code: null },
      "postals",
    );
  else
    context.hint("postalsFile", `${trouble}, so no postal codes are shown`, "create it, or set postalsFile, to show them", {
      code: null,
    });
}

export function checkPaths(context: CheckContext): void {
  const { icons, log } = context.draft;
  checkUploads(context);
  checkStorageApart(context);
  checkPostals(context);
  // If the default does not exist, the set that comes with Rollcall is used.
  const iconTrouble = icons.path === undefined || icons.proxy !== false ? null : pathTrouble(icons.path, "readable folder");
  if (iconTrouble !== null && context.isSet("icons.path"))
    context.problem("icons.path", iconTrouble, "write the path of a readable folder, or create it");
  if (log.logToFile && log.file.path !== undefined) checkLogFile(context, log.file.path);
}

/** Uploads should have their own folder, so that cleaning it up by hand cannot affect other files. */
function checkStorageApart({ draft: { storage, database }, warning }: CheckContext): void {
  const { type, filesystem } = storage;
  const dsn = database.dsn;
  if (type !== "filesystem" || filesystem.path === undefined || dsn?.kind !== "sqlite") return;
  const folder = path.resolve(filesystem.path, filesystem.prefix ?? "");
  const below = path.relative(folder, dsn.file);
  if (below.startsWith("..") || path.isAbsolute(below)) return;
  warning(
    "storage.filesystem.path",
    `${folder} also holds the database file ${dsn.file}; Rollcall does not touch other files, but uploads should have their own folder`,
    `write ${path.join(filesystem.path, "files")} and move the folders of uploads (such as avatars and logos) there`,
    { code: "databaseAmongUploads", params: { folder, file: dsn.file, instead: path.join(filesystem.path, "files") } },
  );
}

/** The log file and its folders need not exist, but it must be possible to create them. */
function checkLogFile(context: CheckContext, file: string): void {
  let existing = file;
  while (!exists(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  const isFile = existing === file;
  const required = isFile ? constants.W_OK : constants.W_OK | constants.X_OK;
  const isRightKind = isFile ? statSync(file).isFile() : statSync(existing).isDirectory();
  if (isRightKind && isAccessible(existing, required)) return;
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

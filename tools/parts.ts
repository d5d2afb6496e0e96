import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** A file of a built program. */
export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** How long the parts of an older build stay, after they were replaced, for a program that still runs from them. */
const keptMs = 7 * 24 * 60 * 60_000;

/** Names the parts of the present build, one a line, in the order in which they have to be copied. */
const list = ".parts";

const unfinished = ".tmp";

/** Another process sees the old file or the new one, and nothing in between. */
function place(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}${unfinished}`, content);
  renameSync(`${file}${unfinished}`, file);
}

/** The age of a part counts from when it was replaced, so the parts that are about to be count as new. */
function touchPresent(folder: string): void {
  if (!existsSync(path.join(folder, list))) return;
  const now = new Date();
  for (const name of readFileSync(path.join(folder, list), "utf8").split("\n")) {
    const file = path.join(folder, name);
    if (name !== "" && existsSync(file)) utimesSync(file, now, now);
  }
}

/**
 * Puts a new build in the place of the one before. A program that is started in between gets one of
 * both as a whole: all other parts are there before the first one, which imports them. Their names have to
 * change with their contents.
 */
export function replaceParts(folder: string, first: Part, others: readonly Part[]): void {
  mkdirSync(folder, { recursive: true });
  touchPresent(folder);
  for (const { name, content } of others) place(path.join(folder, name), content);
  place(path.join(folder, first.name), first.content);
  const names = [...others.map(({ name }) => name), first.name];
  place(path.join(folder, list), `${names.join("\n")}\n`);
  const present = new Set(names);
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.endsWith(unfinished)) rmSync(file);
    else if (name.endsWith(".js") && !present.has(name) && Date.now() - statSync(file).mtimeMs > keptMs) rmSync(file);
  }
}

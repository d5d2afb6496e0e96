import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { filesOf } from "./new-feature/files.ts";
import { BadName, namesOf } from "./new-feature/names.ts";

const root = path.resolve(import.meta.dirname, "..");

function create(word: string): readonly string[] {
  const files = filesOf(namesOf(word, root), new Date());
  for (const [file, text] of files) {
    const target = path.join(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  // A name of another length breaks other lines than the templates do.
  execFileSync(process.execPath, [path.join(root, "node_modules", "oxfmt", "bin", "oxfmt"), ...files.keys()], { cwd: root });
  return [...files.keys()];
}

const [word = ""] = process.argv.slice(2);
try {
  const files = create(word);
  process.stdout.write(`${files.join("\n")}

Next:
  npm run generate                  registers it and its pages
  npx vitest run --project db ${word}    its red tests name what you decide
  texts: "entry" and "Eintrag" are neutral; write the feature's own words
`);
} catch (error) {
  if (!(error instanceof BadName)) throw error;
  process.stderr.write(`new-feature: ${error.message}\n`);
  process.exitCode = 2;
}

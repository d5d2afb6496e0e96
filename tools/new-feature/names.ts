import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { sourceOf } from "../architecture/source.ts";
import { fieldWords } from "../architecture/words.ts";

/** What the words of the templates become: `samples`, `Samples` and `Sample`. */
export interface FeatureNames {
  /** Folder, prefix of tables and events, and address: `papers`. */
  readonly plain: string;
  /** `Papers`. */
  readonly capital: string;
  /** Type of one of them: `Paper`; `MailEntry` where the name is no plural. */
  readonly single: string;
}

/** The name cannot be used; the message says what to write instead. */
export class BadName extends Error {
  override name = "BadName";
}

const capitalOf = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function singleOf(plain: string): string {
  if (plain.endsWith("ies")) return `${capitalOf(plain.slice(0, -3))}y`;
  if (/(?:ss|x|ch|sh)es$/.test(plain)) return capitalOf(plain.slice(0, -2));
  return /[^s]s$/.test(plain) ? capitalOf(plain.slice(0, -1)) : `${capitalOf(plain)}Entry`;
}

/** Words that mean something in the templates besides the feature's own name. */
function usedWords(templates: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const file of globSync("**/*.{ts,tsx}.template", { cwd: templates })) {
    const code = readFileSync(path.join(templates, file), "utf8").replaceAll(
      /"[^"\n]*"|`[^`\n]*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
      "",
    );
    for (const [word] of code.matchAll(/\b[A-Za-z]\w*/g)) words.add(word);
  }
  return words;
}

/** Names of the tables of features and infrastructure. */
function tablesOf(root: string): readonly string[] {
  return globSync("packages/server/src/{features,infra}/**/*.schema.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), "utf8").matchAll(/\bdefineTable\(\s*"(\w+)"/g)].map((match) => match[1] ?? ""),
  );
}

/** Throws `BadName` unless the word can name a new feature of the repository at `root`. */
export function namesOf(word: string, root: string): FeatureNames {
  if (!/^[a-z][a-z0-9]{2,29}$/.test(word)) {
    const proposal = word.toLowerCase().replaceAll(/[^a-z0-9]|^\d+/g, "");
    const example = /^[a-z][a-z0-9]{2,29}$/.test(proposal) ? proposal : "documents";
    throw new BadName(`"${word}" is not one word of 3 to 30 lower-case letters and digits: npm run new-feature -- ${example}`);
  }
  for (const side of ["server", "web"])
    if (globSync(`packages/${side}/src/features/${word}`, { cwd: root }).length > 0)
      throw new BadName(`packages/${side}/src/features/${word} exists: write another word, or extend that feature`);
  const table = tablesOf(root).find((one) => one === word || one.startsWith(`${word}_`));
  if (table !== undefined)
    throw new BadName(
      `the database has a table ${table}, and a feature owns every table that begins with its name: write another word`,
    );
  const names = { plain: word, capital: capitalOf(word), single: singleOf(word) };
  const [home] = fieldWords.check([sourceOf(`infra/${word}.ts`, `export const ${word} = 1;`)], { glossary: new Set() });
  if (home) throw new BadName(home.problem);
  const used = usedWords(path.join(import.meta.dirname, "template"));
  const taken = Object.values(names).find((one) => used.has(one));
  if (taken !== undefined || reserved.has(word))
    throw new BadName(
      `"${taken ?? word}" already means something in the generated code: write a word of the field instead, such as "documents"`,
    );
  return names;
}

/** Words that JavaScript keeps for itself, and the names of texts that belong to no feature. */
const reserved = new Set(
  "break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void web while with yield arguments await".split(
    " ",
  ),
);

import { schema } from "../../packages/server/src/config/schema/index.ts";
import {
  documentedOptions,
  isOption,
  leavesOf,
  type Group,
  type Option,
} from "../../packages/server/src/config/schema/option.ts";
import { variableOf } from "../../packages/server/src/config/environment.ts";

const width = 100;

function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + 2 + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text) => `${indent}# ${text}`);
}

function describe(option: Option<unknown>): string {
  const values = option.values ? ` One of: ${option.values.join(", ")}.` : "";
  const required = option.required ? ` Required, for example: ${option.example}` : "";
  return `${option.meaning}${values}${required}`;
}

/** A YAML value on one line. */
function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[A-Za-z0-9/.][\w ./:-]*$/.test(value) && !/: |:$/.test(value) ? value : JSON.stringify(value);
}

/**
 * Prose is `# text`; an optional setting is `#key: value` without a space, so that removing the `#`
 * gives a valid line. Required options are not commented out, and empty.
 */
function exampleLines(group: Group, indent: string): string[] {
  return Object.entries(group).flatMap(([name, part]) => {
    if (!isOption(part)) return [`${indent}${name}:`, ...exampleLines(part, `${indent}  `)];
    const prose = wrap(describe(part), indent);
    if (part.structure) return [...prose, `${indent}#${name}:`, ...structureLines(part.structure, indent)];
    if (part.required) return [...prose, `${indent}${name}:`];
    return [...prose, `${indent}#${name}: ${part.default === null ? part.example : scalar(part.default)}`];
  });
}

function structureLines({ kind, entry }: NonNullable<Option<unknown>["structure"]>, indent: string): string[] {
  if (kind === "fields") return commented(entry, `${indent}  `);
  if (kind === "map") return [`${indent}  #admin:`, ...commented(entry, `${indent}    `)];
  const lines = commented(entry, `${indent}    `);
  const first = lines.findIndex((line) => /^\s*#\S/.test(line));
  return lines.map((line, i) => (i === first ? `${indent}  #- ${line.trim().slice(1)}` : line));
}

/** Options inside a structured option: all commented out together with it. */
function commented(group: Group, indent: string): string[] {
  return Object.entries(group).flatMap(([name, part]) => {
    if (!isOption(part)) return [`${indent}#${name}:`, ...commented(part, `${indent}  `)];
    const value = part.default === null ? part.example : scalar(part.default);
    return [...wrap(part.meaning, indent), `${indent}#${name}: ${value}`];
  });
}

function exampleFile(): string {
  const head = [
    "# Rollcall: every option of config.yaml, with its default.",
    "#",
    "# Copy this file to config.yaml and fill in the lines that end in a bare colon: they are required.",
    '# A line like "#key: value" shows a default or an example; remove the # to change it.',
    "# rollcall config check reports what is still wrong; rollcall init writes a file that works at once.",
    "",
  ];
  const body = Object.entries(schema as Group).flatMap(([name, part]) => [...exampleLines({ [name]: part }, ""), ""]);
  return `${[...head, ...body].join("\n").trimEnd()}\n`;
}

const cell = (text: string) => text.replaceAll("|", "\\|");
const code = (text: string) => `\`${cell(text)}\``;

function defaultCell(option: Option<unknown>): string {
  if (option.required) return "required";
  return option.default === null
    ? "none"
    : code(typeof option.default === "string" ? option.default || '""' : JSON.stringify(option.default));
}

function optionRow(path: string, option: Option<unknown>): string {
  const type = option.values ? option.values.map(code).join(", ") : option.type;
  const notes = [
    option.meaning,
    option.secret ? "Secret." : "",
    option.own ? "*Rollcall's own.*" : "",
    option.inEffect ? "" : "*Not yet in effect.*",
  ].filter((note) => note !== "");
  return `| ${code(path)} | ${cell(type)} | ${defaultCell(option)} | ${cell(notes.join(" "))} |`;
}

function rows(group: Group, prefix: string): string[] {
  return documentedOptions(group, prefix).flatMap(({ path, option }) => {
    const { structure } = option;
    const inner =
      structure && structure.kind !== "list"
        ? documentedOptions(structure.entry, structure.kind === "map" ? `${path}.<name>` : path)
        : [];
    return [
      optionRow(path, option),
      ...inner.map((field) => optionRow(field.path, { ...field.option, inEffect: option.inEffect })),
    ];
  });
}

const tableHead = ["| Option | Type | Default | Meaning |", "|---|---|---|---|"];

function manual(): string {
  const single = Object.entries(schema as Group).filter(([, part]) => isOption(part) || !("kind" in part));
  const core = single.filter(([, part]) => isOption(part));
  const sections = single.filter(([, part]) => !isOption(part));
  const body = [
    "## Core",
    "",
    ...tableHead,
    ...core.flatMap(([name, part]) => rows({ [name]: part }, "")),
    ...sections.flatMap(([name, part]) => ["", `## ${name}`, "", ...tableHead, ...rows(part as Group, name)]),
  ];
  return `${[...manualHead(), ...body].join("\n")}\n`;
}

function manualHead(): string[] {
  const required = leavesOf(schema).filter(({ option }) => option.required);
  return [
    "# Configuration",
    "",
    "<!-- Generated from packages/server/src/config/schema by npm run generate. Do not edit. -->",
    "",
    "Rollcall reads one YAML file: `config.yaml` of the working directory, else `/config/config.yaml`. The two are never merged. `--config FILE` or `ROLLCALL_CONFIG` names another one. `rollcall init` writes a file that works at once; `config.example.yaml` shows every option.",
    "",
    "- **Required**: " + required.map(({ path }) => code(path)).join(", ") + ".",
    `- **Environment**: every option can be set by a variable, which beats the file: \`ROLLCALL_\`, then the path in capitals with underscores for dots, for example \`${variableOf("http.listen")}\`. Lists are separated by commas, mappings are written as \`a=b,c=d\` or as YAML in braces, entries of lists are numbered: \`ROLLCALL_OAUTH2_PROVIDERS_0_CLIENTSECRET\`.`,
    `- **Secret files**: the variable of a secret with \`_FILE\` added names a file with its value, for example \`${variableOf("jwt.secret")}_FILE=/run/secrets/jwt\`.`,
    "- **Chat platform**: `ROLLCALL_CHAT_API_URL` is the address of another server that speaks the API of the chat platform, for tests: sign-in, API and avatars (below `/avatars/` of its host) then come from there.",
    "- **Durations** are numbers with the unit `s`, `m` or `h`, also together: `90s`, `1h30m`, `1.5h`.",
    "- **Paths** that are relative start at the working directory.",
    "- **Secrets** must all differ. `http.sessions.cookieSecret` and `jwt.secret` need at least 24 characters. Those that can be guessed or looked up (placeholders of examples, few or regular characters) are reported by `rollcall config check`, the log, `rollcall doctor` and a banner for config admins.",
    "",
    "`rollcall config check` prints every problem at once, one line each, and ends with code 78 when there is any; the server then does not start either:",
    "",
    "```",
    "FILE:LINE:COL  option.path  what is wrong  what to write instead",
    "```",
    "",
    "`rollcall config print` shows the values in effect and where each comes from, with secrets hidden. Options marked *not yet in effect* are checked, but this release does not act on them. Those marked *Rollcall's own* are additions to the [interface](../spec/configuration-interface.md).",
    "",
  ];
}

export const generator = {
  name: "config",
  async outputs(): Promise<Record<string, string>> {
    return { "config.example.yaml": exampleFile(), "docs/operate/config.md": manual() };
  },
};

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";

/**
 * Renders the few constructs that Rollcall's chart uses: values, `if`/`else`/`end` with `not`, `include`, and the functions
 * quote, toYaml, nindent and sha256sum. Not a Helm: other constructs are errors, so that templates stay that simple.
 */
export interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert the content
  readonly [part: string]: any;
}

type Scope = Readonly<Record<string, unknown>>;

const action = /\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs;

type Token = { readonly text: string } | { readonly code: string };

function tokens(template: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  let trimNext = false;
  const push = (text: string) => found.push({ text: trimNext ? text.replace(/^\s+/, "") : text });
  for (const match of template.matchAll(action)) {
    const before = template.slice(at, match.index);
    push(match[1] === "-" ? before.replace(/\s+$/, "") : before);
    trimNext = match[3] === "-";
    found.push({ code: match[2] ?? "" });
    at = match.index + match[0].length;
  }
  push(template.slice(at));
  return found;
}

export function renderChart(folder: string, values: object, release = "city"): Rendered[] {
  const chart = parse(readFileSync(path.join(folder, "Chart.yaml"), "utf8")) as { appVersion: string };
  const scope: Scope = { Values: values, Release: { Name: release }, Chart: { AppVersion: chart.appVersion } };
  const definitions = new Map<string, Token[]>();
  const files = readdirSync(path.join(folder, "templates")).toSorted(
    (a, b) => Number(b.endsWith(".tpl")) - Number(a.endsWith(".tpl")),
  );
  const rendered: Rendered[] = [];
  for (const file of files) {
    const text = run(tokens(readFileSync(path.join(folder, "templates", file), "utf8")), scope, definitions);
    if (file.endsWith(".tpl")) continue;
    for (const document of parseAllDocuments(text, { uniqueKeys: true })) {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]!.message}\n${text}`);
      const value = document.toJS() as Rendered | null;
      if (value !== null) rendered.push(value);
    }
  }
  return rendered;
}

/** The position after the `end` (or the `else`) of the block that begins before `from`. */
function blockEnd(list: readonly Token[], from: number): { readonly otherwise: number | null; readonly end: number } {
  let depth = 0;
  let otherwise: number | null = null;
  for (let at = from; at < list.length; at++) {
    const token = list[at]!;
    if (!("code" in token)) continue;
    if (/^(?:if|define)\b/.test(token.code)) depth++;
    else if (token.code === "else" && depth === 0) otherwise = at;
    else if (token.code === "end" && depth-- === 0) return { otherwise, end: at };
  }
  throw new Error("a block has no end");
}

function run(list: readonly Token[], scope: Scope, definitions: Map<string, Token[]>): string {
  let out = "";
  for (let at = 0; at < list.length; at++) {
    const token = list[at]!;
    if ("text" in token) {
      out += token.text;
      continue;
    }
    const [word = "", ...rest] = token.code.split(/\s+/);
    if (word === "define") {
      const { end } = blockEnd(list, at + 1);
      definitions.set(rest[0]!.replaceAll('"', ""), list.slice(at + 1, end));
      at = end;
    } else if (word === "if") {
      const { otherwise, end } = blockEnd(list, at + 1);
      const wanted = rest[0] === "not" ? !truth(lookUp(rest[1]!, scope)) : truth(lookUp(rest[0]!, scope));
      const taken = wanted ? list.slice(at + 1, otherwise ?? end) : otherwise === null ? [] : list.slice(otherwise + 1, end);
      out += run(taken, scope, definitions);
      at = end;
    } else out += String(pipeline(token.code, scope, definitions));
  }
  return out;
}

const truth = (value: unknown) => Boolean(value) && !(Array.isArray(value) && value.length === 0);

function lookUp(name: string, scope: Scope): unknown {
  if (!name.startsWith(".")) throw new Error(`the chart uses ${name}, which its renderer does not support`);
  const found = name
    .slice(1)
    .split(".")
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], scope);
  if (found === undefined) throw new Error(`values.yaml has no ${name}`);
  return found;
}

function pipeline(code: string, scope: Scope, definitions: Map<string, Token[]>): unknown {
  const [first = "", ...others] = code.split(/\s*\|\s*/);
  const [word = "", argument = ""] = first.split(/\s+/);
  let value: unknown;
  if (word === "toYaml") value = stringify(lookUp(argument, scope)).trimEnd();
  else if (word === "include") {
    const definition = definitions.get(argument.replaceAll('"', ""));
    if (!definition) throw new Error(`the chart includes ${argument}, which no template defines`);
    value = run(definition, scope, definitions).trim();
  } else value = lookUp(word, scope);
  for (const other of others) {
    const [name, size] = other.split(/\s+/);
    if (name === "quote") value = JSON.stringify(String(value));
    else if (name === "nindent") value = `\n${String(value).replaceAll(/^/gm, " ".repeat(Number(size)))}`;
    else if (name === "sha256sum") value = createHash("sha256").update(String(value)).digest("hex");
    else throw new Error(`the chart uses ${name}, which its renderer does not support`);
  }
  return value;
}

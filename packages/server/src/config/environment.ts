import { readFileSync } from "node:fs";
import path from "node:path";
import type { Findings } from "./read.ts";
import { nearestName } from "#core/nearest.ts";
import { isAccepted, type Said } from "./parsed.ts";
import { schema } from "./schema/index.ts";
import { leavesOf, type Leaf } from "./schema/option.ts";
import { child, withValue, type Place, type TreeNode } from "./tree.ts";
import { parseHttpUrl } from "./web.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = "ROLLCALL_";
const chatApiVariable = "ROLLCALL_CHAT_API_URL";
/** Variables that other parts of Rollcall use. */
const reserved = new Set(["ROLLCALL_CONFIG", chatApiVariable]);
const testPrefix = "ROLLCALL_TEST_";

/** The environment variable of an option: `http.sessions.cookieSecret` is `ROLLCALL_HTTP_SESSIONS_COOKIESECRET`. */
export function variableOf(optionPath: string): string {
  return prefix + optionPath.replaceAll(".", "_").toUpperCase();
}

type Keys = readonly (string | number)[];
interface Target {
  readonly keys: Keys;
  readonly leaf: Leaf;
}

/** Applies the environment to the document; variables override the file. */
export function applyEnvironment(tree: TreeNode, env: Environment, cwd: string, findings: Findings): TreeNode {
  const targets = knownTargets(tree, env);
  const problem = (name: string, optionPath: string, what: string, instead: string) =>
    findings.problems.push({ place: { kind: "variable", name }, path: optionPath, what, instead });
  let result = tree;
  const used = new Set<string>();
  for (const [variable, { keys, leaf }] of targets) {
    const text = env[variable];
    const fileVariable = `${variable}_FILE`;
    const file = leaf.option.secret ? env[fileVariable] : undefined;
    if (text !== undefined) used.add(variable);
    if (file !== undefined) used.add(fileVariable);
    if (text !== undefined && file !== undefined) {
      problem(variable, leaf.path, `is set together with ${fileVariable}`, "keep one of the two");
    } else if (file !== undefined) {
      const place: Place = { kind: "variable", name: fileVariable, file };
      const secret = readSecretFile(path.resolve(cwd, file));
      if (secret === null)
        problem(fileVariable, leaf.path, `names the file ${file}, which cannot be read`, "write the path of a readable file");
      else result = withValue(result, keys, leaf.option.fromText(secret, place));
    } else if (text !== undefined) {
      result = withValue(result, keys, leaf.option.fromText(text, { kind: "variable", name: variable }));
    }
  }
  warnAboutUnknown(env, used, [...targets.keys()], findings);
  return result;
}

/** The URL that replaces the chat platform's API; null if unset. */
export function readChatApiUrl(env: Environment, findings: Findings): string | null {
  const text = env[chatApiVariable]?.trim() ?? "";
  if (text === "") return null;
  const parsed = parseHttpUrl(text, "http://127.0.0.1:9000/api");
  if (isAccepted(parsed)) return parsed.value;
  findings.problems.push({ place: { kind: "variable", name: chatApiVariable }, path: "(environment)", ...parsed });
  return null;
}

type Attributes = readonly { readonly key: string; readonly value: string }[];

/** Expands `${NAME}` in values of `otlp.attributes`; an unset variable is empty, with a warning. */
export function expandAttributes(attributes: Attributes, env: Environment, warn: (name: string) => void): Attributes {
  return attributes.map(({ key, value }) => ({
    key,
    value: value.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => {
      if (env[name] === undefined) warn(name);
      return env[name] ?? "";
    }),
  }));
}

function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    return null;
  }
}

/** Every variable that may be set, including those of entries of lists (`.._PROVIDERS_0_NAME`). */
function knownTargets(tree: TreeNode, env: Environment): Map<string, Target> {
  const targets = new Map<string, Target>();
  for (const leaf of leavesOf(schema)) {
    targets.set(variableOf(leaf.path), { keys: leaf.keys, leaf });
    if (leaf.option.structure?.kind !== "list") continue;
    const base = `${variableOf(leaf.path)}_`;
    const known = listLength(tree, leaf.keys);
    const named = Object.keys(env).flatMap((name) =>
      name.startsWith(base) ? [Number.parseInt(name.slice(base.length), 10)] : [],
    );
    // Indexes must be consecutive: an entry after a gap is an unknown variable.
    for (let i = 0; i < known || named.includes(i); i++) {
      for (const inner of leavesOf(leaf.option.structure.entry)) {
        const innerPath = `${leaf.path}[${i}].${inner.path}`;
        targets.set(`${base}${i}_${variableOf(inner.path).slice(prefix.length)}`, {
          keys: [...leaf.keys, i, ...inner.keys],
          leaf: { ...inner, path: innerPath },
        });
      }
    }
  }
  return targets;
}

function listLength(tree: TreeNode, keys: readonly string[]): number {
  let node: TreeNode | null = tree;
  for (const key of keys) node = child(node, key)?.value ?? null;
  return node?.kind === "list" ? node.items.length : 0;
}

function saidOf(name: string, base: string | null, nearest: string | null): Said {
  if (base !== null) return { code: "variableOfFile", params: { name, base } };
  return nearest === null
    ? { code: "variableUnknown", params: { name } }
    : { code: "variableMisspelt", params: { name, nearest } };
}

/** By what follows the prefix: with it, any two short names would look alike. */
function nearestVariable(name: string, known: readonly string[]): string | null {
  const option = nearestName(
    name.slice(prefix.length),
    known.map((one) => one.slice(prefix.length)),
  );
  return option === null ? null : prefix + option;
}

function warnAboutUnknown(env: Environment, used: ReadonlySet<string>, known: readonly string[], findings: Findings): void {
  for (const name of Object.keys(env).toSorted()) {
    if (!name.startsWith(prefix) || env[name] === undefined || used.has(name)) continue;
    if (reserved.has(name) || name.startsWith(testPrefix)) continue;
    const base = name.replace(/_FILE$/, "");
    const isPlainFile = base !== name && known.includes(base);
    const nearest = nearestVariable(name, known);
    const remedy = nearest === null ? "remove it" : `write ${nearest}`;
    findings.warnings.push({
      place: { kind: "variable", name },
      path: "(environment)",
      what: isPlainFile ? "is read from a file, but the option is not a secret" : "is not a known variable and has no effect",
      instead: isPlainFile ? `write ${base}` : remedy,
      said: saidOf(name, isPlainFile ? base : null, nearest),
    });
  }
}

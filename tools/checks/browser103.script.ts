import { runInNewContext } from "node:vm";
import { parse, type Identifier, type MemberExpression, type Node, type Program } from "acorn";
import { full } from "acorn-walk";
import { analyze } from "eslint-scope";
import type { Identifier as Part } from "@mdn/browser-compat-data";
import { knowledge, supported, within } from "./browser103.support.ts";

const { api } = knowledge;
const builtins = knowledge.javascript.builtins ?? {};

/** A member that Chromium 103 lacks; `fixed` if it belongs to the global object itself, as `Object.groupBy`. */
interface Lack {
  readonly owner: string;
  readonly member: string;
  readonly fixed: boolean;
}

interface Members {
  readonly lacks: readonly Lack[];
  /** Names that some object has, so that a call of one of them says nothing about the browser. */
  readonly known: ReadonlySet<string>;
}

const nameOf = ({ owner, member, fixed }: Lack) => (fixed ? `${owner}.${member}` : `${owner}.prototype.${member}`);

/** MDN does not say which members of a builtin are fixed; the program that runs this knows. */
function isFixed(owner: string, member: string): boolean {
  const holder = (globalThis as Record<string, unknown>)[owner];
  if (typeof holder !== "function") return holder !== undefined;
  return member in holder && !(member in ((holder.prototype as object | undefined) ?? {}));
}

function membersOf(group: Part, fixed: (owner: string, key: string) => boolean): Members {
  const lacks: Lack[] = [];
  const known = new Set<string>();
  for (const owner of Object.keys(group))
    for (const key of Object.keys(within(group, owner) ?? {})) {
      const part = within(within(group, owner), key);
      if (part === undefined || !/^\w+$/.test(key) || key.endsWith("_event")) continue;
      const member = key.replace(/_static$/, "");
      if (supported(part, member) === false) lacks.push({ owner, member, fixed: fixed(owner, key) });
      else known.add(member);
    }
  return { lacks, known };
}

const ofLanguage = membersOf(builtins, isFixed);
const ofBrowser = membersOf(api, (_owner, key) => key.endsWith("_static"));
const all = [...ofLanguage.lacks, ...ofBrowser.lacks];

const fixedLacks = new Set(all.filter(({ fixed }) => fixed).map(nameOf));
/** Objects that exist, but cannot be made with `new`. */
const notConstructed = new Set(all.filter(({ owner, member }) => owner === member).map(({ owner }) => owner));
const globalLacks = new Set(
  [builtins, api].flatMap((group) => Object.keys(group).filter((name) => supported(within(group, name), name) === false)),
);

/**
 * Methods by name, the ones of the language first. Without those of objects whose own global name is
 * missing: that name is reported.
 */
const methods = new Map(
  all
    .filter(({ fixed, owner }) => !fixed && !globalLacks.has(owner))
    .filter(({ member }) => !ofLanguage.known.has(member) && !ofBrowser.known.has(member))
    .toReversed()
    .map((lack) => [lack.member, { name: nameOf(lack), ofLanguage: ofLanguage.lacks.includes(lack) }]),
);

/**
 * What `polyfills` adds of the language and of global names: it runs where all that Chromium 103 lacks
 * was removed first.
 */
function restored(polyfills: string): ReadonlySet<string> {
  const context: Record<string, unknown> = {
    URLSearchParams: class extends URLSearchParams {},
    DOMException: class extends DOMException {},
    setTimeout,
  };
  const lacks = [...ofLanguage.lacks.map((lack) => nameOf(lack).split(".")), ...[...globalLacks].map((name) => [name])];
  /** Runs `code` with the object that has the member `key`. */
  const inHolder = (parts: readonly string[], code: string): unknown =>
    runInNewContext(
      `{ const holder = ${JSON.stringify(parts.slice(0, -1))}.reduce((o, k) => o?.[k], globalThis); const key = ${JSON.stringify(parts.at(-1))}; ${code} }`,
      context,
    );
  for (const parts of lacks) inHolder(parts, "if (holder) delete holder[key]");
  runInNewContext(polyfills, context);
  const present = lacks.filter((parts) => inHolder(parts, "holder !== undefined && key in holder") === true);
  return new Set(present.map((parts) => parts.join(".")));
}

interface Script {
  readonly program: Program;
  /** Names that the script uses without declaring them. */
  readonly globals: ReadonlySet<string>;
}

/** Throws for syntax that Chromium 103 does not have: it was the first with all of ECMAScript 2022. */
function read(code: string): Script {
  const program = parse(code, { ecmaVersion: 2022, sourceType: "module", ranges: true });
  const scopes = analyze(program as Parameters<typeof analyze>[0], { ecmaVersion: 2022, sourceType: "module" });
  return { program, globals: new Set(scopes.globalScope?.through.map(({ identifier }) => identifier.name)) };
}

/** The name of an identifier, or of the member that an expression reads. */
const identifier = (node: Node | null | undefined) => (node?.type === "Identifier" ? (node as Identifier).name : undefined);
const memberOf = ({ computed, property }: MemberExpression) => (computed ? undefined : identifier(property));
const isMember = (node: Node): node is MemberExpression => node.type === "MemberExpression";

/** Names that a script gives to its own methods and properties. */
function ownNames({ program }: Script): string[] {
  const names: (string | undefined)[] = [];
  full(program, (node) => {
    const { key, left } = node as Node & { key?: Node; left?: Node };
    if (node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition")
      names.push(identifier(key));
    if (node.type === "AssignmentExpression" && left !== undefined && isMember(left)) names.push(memberOf(left));
  });
  return names.filter((name) => name !== undefined);
}

function usesOf({ program, globals }: Script, own: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const tested = new Set<string | undefined>();
  full(program, (node) => {
    const { operator, argument, callee } = node as Node & { operator?: string; argument?: Node; callee?: Node };
    if (operator === "typeof") tested.add(identifier(argument));
    if (isMember(node)) {
      const owner = identifier(node.object);
      const name = `${owner}.${memberOf(node)}`;
      if (owner !== undefined && globals.has(owner) && fixedLacks.has(name)) found.add(name);
    }
    if (node.type === "NewExpression") {
      const made = identifier(callee);
      if (made !== undefined && globals.has(made) && notConstructed.has(made)) found.add(`new ${made}`);
    }
    if (node.type !== "CallExpression" || callee === undefined || !isMember(callee)) return;
    const method = methods.get(memberOf(callee) ?? "");
    if (method !== undefined && (method.ofLanguage || !own.has(memberOf(callee) ?? ""))) found.add(method.name);
  });
  for (const name of globals) if (globalLacks.has(name) && !tested.has(name)) found.add(name);
  return found;
}

/**
 * What Chromium 103 does not support in the scripts of a build, by file and by the data of MDN: syntax,
 * global names, fixed members (`Object.groupBy`), and calls of methods (`toSorted`). A method counts if no
 * object of that browser has one of this name and, unless it belongs to the language, nothing in the build
 * either. Not reported: what `polyfills`, which runs before all of them, adds, and a global name that the
 * script tests with `typeof`.
 */
export function unsupportedScripts(
  scripts: ReadonlyMap<string, string>,
  polyfills: string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const readable = new Map<string, Script>();
  for (const [file, code] of scripts) {
    try {
      readable.set(file, read(code));
    } catch (error) {
      found.set(file, [`syntax: ${(error as Error).message}`]);
    }
  }
  const own = new Set([...readable.values()].flatMap(ownNames));
  const added = restored(polyfills);
  for (const [file, script] of readable) {
    const uses = [...usesOf(script, own)].filter((name) => !added.has(name));
    if (uses.length > 0) found.set(file, uses);
  }
  return found;
}

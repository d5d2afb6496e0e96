import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const FEATURE = /\/packages\/server\/src\/features\/.+\.contract\.ts$/;
const CORE = /\/packages\/server\/src\/core\/contract\/[\w.-]+\.ts$/;
const USES_SCHEMAS = /^import \{[^}]*\} from "typebox";/m;

/**
 * Reduces contract modules to what a browser needs: ids, methods and paths of operations, names of
 * topics, ids of permissions, preferences with their defaults, codes of errors and plain constants. Schemas are left out, and with
 * them the schema library. The types are those of the real modules.
 */
export function contracts(): Plugin {
  return {
    name: "rollcall-contracts",
    enforce: "pre",
    async load(id) {
      const [file = "", query = ""] = id.split("?");
      const isFeature = FEATURE.test(file);
      if (!isFeature && !(CORE.test(file) && USES_SCHEMAS.test(await readFile(file, "utf8")))) return null;
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      const [, name] = /^export=(\w+)$/.exec(query) ?? [];
      const shown = name === undefined ? module : { [name]: module[name] };
      const code = isFeature && name === undefined ? indexOf(module, basename(file)) : lightModule(shown);
      return { code, moduleSideEffects: false, map: null };
    },
  };
}

/**
 * Each export is a module of its own: every page loads the permissions of all features, and would load with them what only
 * pages of one feature call.
 */
export function indexOf(module: Record<string, unknown>, file: string): string {
  return Object.entries(module)
    .filter(([, value]) => light(value) !== undefined)
    .map(([name]) => `export { ${name} } from "./${file}?export=${name}";\n`)
    .join("");
}

export function lightModule(module: Record<string, unknown>): string {
  return Object.entries(module)
    .map(([name, value]) => [name, light(value)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `export const ${name} = /* @__PURE__ */ ${JSON.stringify(value)};\n`)
    .join("");
}

function light(value: unknown): unknown {
  if (isOperation(value))
    return {
      ...pick(value, ["id", "method", "path"]),
      access: pick(value["access"] as Bag, ["kind", "anyOf", "orConfigAdmin"]),
    };
  if (isTopic(value)) {
    const message =
      value["kind"] === "state"
        ? { ...pick(value, ["rate", "maxAgeMs", "keepLatest", "moves"]), message: shape(value["message"]) }
        : keptAnswers(value);
    return { ...pick(value, ["name", "kind"]), ...message };
  }
  if (isPermission(value)) return value;
  if (isPreference(value)) return pick(value, ["id", "default", "per"]);
  if (isOrders(value)) return pick(value, ["names", "default"]);
  if (isErrorSet(value)) return mapValues(value, (error) => pick(error, ["code", "status"]));
  return isPlain(value) ? value : undefined;
}

/** Which answers the messages of an event topic bring up to date or make stale. */
function keptAnswers(topic: Bag): Bag {
  const declared = Object.entries(pick(topic, ["carries", "invalidates"])) as [string, { answers: Bag[] }][];
  return Object.fromEntries(
    declared.map(([name, { answers, ...rest }]) => [
      name,
      { ...rest, answers: answers.map((operation) => pick(operation, ["id", "path"])) },
    ]),
  );
}

/** The fields of a state topic's schema, with which its binary frames are decoded. */
function shape(schema: unknown): unknown {
  const bag = JSON.parse(JSON.stringify(schema)) as Bag;
  const { properties, anyOf } = bag as { properties?: Bag; anyOf?: unknown[] };
  return {
    ...pick(bag, ["type", "precision"]),
    ...(properties ? { properties: mapValues(properties as Record<string, Bag>, shape) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(shape) } : {}),
  };
}

type Bag = Record<string, unknown>;

function isBag(value: unknown): value is Bag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOperation(value: unknown): value is Bag {
  return isBag(value) && typeof value["path"] === "string" && typeof value["method"] === "string" && "access" in value;
}

function isTopic(value: unknown): value is Bag {
  return isBag(value) && typeof value["name"] === "string" && "message" in value && "kind" in value;
}

function isPermission(value: unknown): value is Bag {
  return isBag(value) && typeof value["id"] === "string" && isBag(value["attributes"]);
}

function isPreference(value: unknown): value is Bag {
  return isBag(value) && typeof value["id"] === "string" && "default" in value && "per" in value && "schema" in value;
}

function isOrders(value: unknown): value is Bag {
  return isBag(value) && Array.isArray(value["names"]) && typeof value["default"] === "string" && "query" in value;
}

function isErrorSet(value: unknown): value is Record<string, Bag> {
  return (
    isBag(value) &&
    Object.values(value).length > 0 &&
    Object.values(value).every((one) => isBag(one) && typeof one["code"] === "string" && "status" in one)
  );
}

/** Plain constants: no schema (which has a hidden kind), no function, no class instance. */
function isPlain(value: unknown): boolean {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (!isBag(value) || "~kind" in value || "~unsafe" in value) return false;
  if (value["type"] === "string" && Array.isArray(value["enum"])) return false;
  return Object.values(value).every(isPlain);
}

function pick(bag: Bag, keys: readonly string[]): Bag {
  return Object.fromEntries(keys.filter((key) => key in bag).map((key) => [key, bag[key]]));
}

function mapValues<T>(bag: Record<string, T>, change: (value: T) => unknown): Bag {
  return Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, change(value)]));
}

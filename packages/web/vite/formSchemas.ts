import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const PREFIX = "virtual:form/";

type Bag = Record<string, unknown>;

/**
 * `virtual:form/<feature>/<operation>[/<property>...]`: what an operation of that feature's contract takes as its
 * body, or a property of it, as plain JSON Schema. Contracts reach the browser without schemas; so those of forms
 * are in the chunks of their forms alone.
 */
export function formSchemas(root: string): Plugin {
  return {
    name: "rollcall-form-schemas",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const name = id.slice(PREFIX.length + 1);
      this.addWatchFile(fileOf(root, name));
      const contract = await contractOfForm(root, name);
      if (!contract) throw new Error(`${PREFIX}${name}: the contracts have no such input`);
      return { code: `export default ${JSON.stringify(contract)};`, moduleSideEffects: false, map: null };
    },
  };
}

/** The group of a feature's contract is named with it: `accounts.factor`. */
function fileOf(root: string, name: string): string {
  const feature = name.split("/")[0]!;
  return path.join(root, `../server/src/features/${feature.split(".")[0]!}/${feature}.contract.ts`);
}

/** What `virtual:form/<name>` holds; null when the contract has no such input. */
export async function contractOfForm(root: string, name: string): Promise<{ at: string; schema: Bag } | null> {
  const module = (await import(pathToFileURL(fileOf(root, name)).href)) as Bag;
  const [operation = "", ...at] = name.split("/").slice(1);
  return formContract(module[operation], at);
}

/** `at`: the path of the part within the body, with dots. Null when the operation or the part does not exist. */
export function formContract(operation: unknown, at: readonly string[]): { at: string; schema: Bag } | null {
  let schema = (operation as { input?: { body?: unknown } } | undefined)?.input?.body as Bag | undefined;
  for (const property of at) schema = (schema?.["properties"] as Record<string, Bag> | undefined)?.[property];
  return schema ? { at: at.join("."), schema: plain(JSON.parse(JSON.stringify(schema))) as Bag } : null;
}

/** Without what only people read, and what only the server does. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const bag = value as Bag;
  const isSchema = typeof bag["type"] === "string" || Array.isArray(bag["type"]) || "anyOf" in bag;
  return Object.fromEntries(
    Object.entries(bag)
      .filter(([key]) => !isSchema || (key !== "description" && key !== "default"))
      .map(([key, one]) => [key, plain(one)]),
  );
}

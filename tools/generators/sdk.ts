import { features } from "../../packages/server/src/app/features.ts";
import { releasedDocument, type OpenApiOperation } from "./openapi.ts";

/** The addresses of the Sync API begin with this. */
export const prefix = "/api/sync/v1/";

/** The part of JSON Schema that the contracts use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly description?: string;
}

const isPlainName = /^[A-Za-z_$][\w$]*$/;
const simpleTypes: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** Writes the TypeScript type of a JSON Schema; throws for unsupported schemas instead of writing `unknown`. */
export function typeOf(schema: Schema, indent = ""): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(" | ");
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (schema.enum) return literals(schema.enum, types.includes("null"));
  if (types.length === 0) throw new Error(`no type for ${JSON.stringify(schema)}`);
  const members = types.map((type) => typeOfOne(type, schema, indent));
  if (members.length === 1 || members.every((member) => !member.includes("\n"))) return members.join(" | ");
  // The formatter keeps an object that may be null together, and puts each member of others on its own line.
  if (types.length === 2 && types[0] === "object" && types[1] === "null") return members.join(" | ");
  return types.map((type) => `\n${indent}  | ${typeOfOne(type, schema, `${indent}    `)}`).join("");
}

function literals(values: readonly unknown[], nullable: boolean): string {
  const all = nullable && !values.includes(null) ? [...values, null] : values;
  return all.map((value) => JSON.stringify(value)).join(" | ");
}

function typeOfOne(type: string, schema: Schema, indent: string): string {
  if (type === "array") return `${arrayItem(schema, indent)}[]`;
  if (type === "object") return objectType(schema, indent);
  const simple = simpleTypes[type];
  if (simple === undefined) throw new Error(`no TypeScript type for the JSON Schema type ${type}`);
  return simple;
}

function arrayItem(schema: Schema, indent: string): string {
  const item = typeOf(schema.items ?? {}, indent);
  return item.includes(" | ") && !item.startsWith("{") ? `(${item})` : item;
}

function objectType(schema: Schema, indent: string): string {
  const values =
    typeof schema.additionalProperties === "object"
      ? schema.additionalProperties
      : Object.values(schema.patternProperties ?? {})[0];
  if (!schema.properties) return `Record<string, ${values ? typeOf(values, indent) : "unknown"}>`;
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties).flatMap(([name, property]) => {
    const optional = schema.required?.includes(name) === true ? "" : "?";
    const key = isPlainName.test(name) ? name : JSON.stringify(name);
    const type = typeOf(property, inner);
    return [...comment(property, inner), `${inner}${key}${optional}:${type.startsWith("\n") ? "" : " "}${type};`];
  });
  return members.length === 0 ? "Record<string, never>" : `{\n${members.join("\n")}\n${indent}}`;
}

function comment({ description }: Schema, indent: string): string[] {
  return description === undefined ? [] : [`${indent}/** ${description.replaceAll("*/", "*\\/")} */`];
}

/** How the types of an operation begin: `JobsSync` of `jobs.sync`. */
export const typeName = (id: string) =>
  id
    .split(/[.\W]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function schemasOf(operation: OpenApiOperation): { body?: Schema; output?: Schema } {
  const body: Schema | undefined = operation.requestBody?.content["application/json"]?.schema;
  const output: Schema | undefined = operation.responses["200"]?.content?.["application/json"]?.schema;
  return { ...(body && { body }), ...(output && { output }) };
}

function paramsOf({ parameters = [] }: OpenApiOperation): Schema | null {
  const inPath = parameters.filter((one) => one.in === "path");
  const properties = Object.fromEntries(inPath.map(({ name, schema }) => [name, schema as Schema]));
  return inPath.length === 0 ? null : { type: "object", properties, required: Object.keys(properties) };
}

function typesOf(operation: OpenApiOperation): string[] {
  const { body, output } = schemasOf(operation);
  const params = paramsOf(operation);
  const name = typeName(operation.operationId);
  const declared = (suffix: string, what: string, schema: Schema) => [
    `/** ${what} of \`${operation.operationId}\`: ${operation.summary}. */`,
    `export type ${name}${suffix} = ${typeOf(schema)};`,
    "",
  ];
  return [
    ...(params ? declared("Params", "Parts of the path", params) : []),
    ...(body ? declared("Body", "Body", body) : []),
    ...(output ? declared("Output", "Answer", output) : []),
  ];
}

/** The array of a batch call and how many entries it may hold. */
function batchOf(body: Schema | undefined): string[] {
  const [found] = Object.entries(body?.properties ?? {}).filter(([, property]) => property.type === "array");
  if (found?.[1].maxItems === undefined) return [];
  return [`    list: ${JSON.stringify(found[0])},`, `    maxItems: ${found[1].maxItems},`];
}

/** A call that carries a batch: what it names, and the method of the client that makes it. */
interface BatchCall {
  readonly kind: string;
  /** The field of an item that holds its id; null where the items are ids. */
  readonly field: string | null;
  readonly list: string;
  readonly call: string;
}

function batchCallOf(operation: OpenApiOperation): BatchCall | null {
  const kinds = features.flatMap(({ contract }) => contract.sync ?? []);
  const found = kinds.find(({ operations }) => operations.some(({ id }) => id === operation.operationId));
  if (found === undefined) return null;
  const { kind, key } = found;
  const lists = Object.entries(schemasOf(operation).body?.properties ?? {}).filter(([, { type }]) => type === "array");
  const [[list, schema] = ["items", {} as Schema]] = lists;
  if (schema.items?.type === "object") return { kind, field: key, list, call: kind };
  return { kind, field: null, list, call: `delete${kind.charAt(0).toUpperCase()}${kind.slice(1)}` };
}

function identityOf(operation: OpenApiOperation): string[] {
  const found = batchCallOf(operation);
  if (found === null) return [];
  const { kind, field, call } = found;
  return [`    entity: ${JSON.stringify(kind)},`, `    field: ${JSON.stringify(field)},`, `    call: ${JSON.stringify(call)},`];
}

/** The methods of the client that send batches, one for each call, so that a new kind of data has them too. */
function batchMethods(operations: readonly OpenApiOperation[]): string[] {
  return [
    "/** Sends batches; `Result` says what became of one. */",
    "export interface BatchMethods<Result> {",
    ...operations.flatMap((operation) => {
      const found = batchCallOf(operation);
      if (found === null) return [];
      const name = `${typeName(operation.operationId)}Body["${found.list}"]`;
      return [`  /** ${operation.summary}. */`, `  ${found.call}(${found.list}: Readonly<${name}>): Promise<Result>;`];
    }),
    "}",
    "",
  ];
}

/** Requests of Rollcall to the game server, by their kind. */
function requestTypes(): string[] {
  const kinds = features.flatMap(({ contract }) => contract.gameRequests ?? []);
  return [
    "/** Requests of Rollcall to the plugin on the game server, by their kind: what the plugin gets and what it answers. */",
    "export type GameRequests = {",
    ...kinds.flatMap(({ id, summary, payload, answer }) => [
      `  /** ${summary} */`,
      `  ${JSON.stringify(id)}: {`,
      `    payload: ${typeOf(payload as Schema, "    ")};`,
      `    answer: ${typeOf(answer as Schema, "    ")};`,
      "  };",
    ]),
    "};",
    "",
    `export const gameRequestKinds = [${kinds.map(({ id }) => JSON.stringify(id)).join(", ")}] as const;`,
    "",
  ];
}

function file(): string {
  const operations = Object.entries(releasedDocument().paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
  const table = operations.flatMap(({ path, method, operation }) => [
    `  ${JSON.stringify(operation.operationId)}: {`,
    `    method: ${JSON.stringify(method)},`,
    `    path: ${JSON.stringify(path)},`,
    ...batchOf(schemasOf(operation).body),
    ...identityOf(operation),
    "  },",
  ]);
  return [
    "// Generated from the OpenAPI document by npm run generate. Do not edit.",
    "",
    ...operations.flatMap(({ operation }) => typesOf(operation)),
    ...batchMethods(operations.map(({ operation }) => operation)),
    ...requestTypes(),
    "/** The operations of the Sync API; `maxItems` is the largest batch of the release that this client was made with. */",
    "export const operations = {",
    ...table,
    "} as const;",
    "",
  ].join("\n");
}

export const generator = {
  name: "sdk",
  async outputs(): Promise<Record<string, string>> {
    return { "packages/sync-sdk/src/generated/types.ts": file() };
  },
};

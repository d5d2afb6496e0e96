import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import openapiTypes, { type OpenAPI3 } from "openapi-typescript";
import type { OpenApiDocument } from "../generators/openapi.ts";
import { prefix, typeName } from "../generators/sdk.ts";
import type { Check } from "./check.ts";
import { readRepositoryFile, root } from "./repository.ts";

const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");

/** A type of the SDK and the one of the document that it must be the same as. */
interface Pair {
  readonly label: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Bodies and answers of every operation of the Sync API. */
function pairsOf({ paths }: OpenApiDocument): Pair[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ operationId: id, requestBody, responses }) => {
    const operation = `operations[${JSON.stringify(id)}]`;
    const json = `["content"]["application/json"]`;
    const body: Pair = { label: `body of ${id}`, ours: `sdk.${typeName(id)}Body`, theirs: `${operation}["requestBody"]${json}` };
    const answer: Pair = {
      label: `answer of ${id}`,
      ours: `sdk.${typeName(id)}Output`,
      theirs: `${operation}["responses"][200]${json}`,
    };
    return [...(requestBody === undefined ? [] : [body]), ...(responses["200"]?.content === undefined ? [] : [answer])];
  });
}

/** What the client writes by hand: the parts of an address. */
const handWritten: readonly Pair[] = [
  {
    label: "kinds of a manifest",
    ours: "client.ManifestKind",
    theirs: `operations["sync.manifest"]["parameters"]["path"]["kind"]`,
  },
];

/** One comparison a line, so that the line of an error names the pair. */
const head = [
  `import type { operations } from "./theirs.ts";`,
  `import type * as sdk from "../../../../packages/sync-sdk/src/generated/types.ts";`,
  `import type * as client from "../../../../packages/sync-sdk/src/index.ts";`,
  `type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;`,
  `type Expect<T extends true> = T;`,
  `const accept = <T>(_value: T): void => undefined;`,
];

function comparison(pairs: readonly Pair[]): string {
  const identities = pairs.map(({ ours, theirs }, i) => `export type Pair${i} = Expect<Identical<${ours}, ${theirs}>>;`);
  // Says which field differs, where the first only says that one does.
  const values = pairs.map(({ ours, theirs }) => `accept<${theirs}>({} as ${ours});`);
  return [...head, ...identities, ...values, ""].join("\n");
}

/**
 * Compares the types of the SDK, which a generator of our own writes, with those that openapi-typescript
 * makes of this document. Identical, not only assignable: a field too many would pass otherwise.
 */
export async function sdkFaults(source: string): Promise<readonly string[]> {
  const whole = JSON.parse(source) as OpenApiDocument;
  const paths = Object.fromEntries(Object.entries(whole.paths).filter(([address]) => address.startsWith(prefix)));
  const document = { ...whole, paths };
  const pairs = [...pairsOf(document), ...handWritten];
  const cache = path.join(root, "node_modules", ".cache", "checks");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, "sdk-"));
  try {
    const theirs = await openapiTypes(document as unknown as OpenAPI3, { defaultNonNullable: false });
    writeFileSync(path.join(folder, "theirs.ts"), theirs);
    writeFileSync(path.join(folder, "compare.ts"), comparison(pairs));
    const config = { extends: path.join(root, "tsconfig.base.json"), files: ["compare.ts"] };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status === 0) return [];
    return describeErrors(stdout, pairs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function describeErrors(output: string, pairs: readonly Pair[]): readonly string[] {
  // Lines that begin with a blank continue the error before.
  const errors = output.trim().split(/\n(?!\s)/);
  return errors.map((error) => {
    const line = /^compare\.ts\((\d+),/.exec(error)?.[1];
    const index = line === undefined ? -1 : Number(line) - 1 - head.length;
    const pair = index < 0 ? undefined : pairs[index % pairs.length];
    return pair ? `${pair.label}: ${pair.ours} is not what openapi-typescript makes of the document\n  ${error}` : error;
  });
}

export const check: Check = {
  name: "types of the Sync SDK (openapi-typescript)",
  faults: async () => await sdkFaults(await readRepositoryFile("docs/operate/openapi.json")),
};

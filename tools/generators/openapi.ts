import { openApiDocument } from "../../packages/server/src/infra/http/openapi.ts";
import { version } from "../../packages/server/src/core/version.ts";
import { features } from "../../packages/server/src/app/features.ts";

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly [part: string]: unknown;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>;
  readonly [part: string]: unknown;
}

/** The document of this release: with a placeholder for the address of an instance, paths in alphabetical order. */
export function releasedDocument(): OpenApiDocument {
  const operations = features.flatMap((feature) => feature.contract.operations ?? []);
  const document = openApiDocument(operations, { version }) as unknown as OpenApiDocument;
  const byPath = Object.entries(document.paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...document, paths: Object.fromEntries(byPath) };
}

export const generator = {
  name: "openapi",
  async outputs(): Promise<Record<string, string>> {
    return { "docs/operate/openapi.json": `${JSON.stringify(releasedDocument(), null, 2)}\n` };
  },
};

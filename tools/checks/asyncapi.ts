import { Parser } from "@asyncapi/parser";
import type { Check } from "./check.ts";
import { readRepositoryFile } from "./repository.ts";

const file = "docs/operate/realtime.asyncapi.yaml";

// It compiles the schema of AsyncAPI, which takes about a second.
const parser = new Parser();

/** What the parser reports on this document; its hints count as faults too. */
export async function asyncApiFaults(source: string): Promise<readonly string[]> {
  const { diagnostics } = await parser.parse(source);
  return diagnostics.map(({ code, message, path }) => `${file}#/${path.join("/")} ${code}: ${message}`);
}

export const check: Check = {
  name: "AsyncAPI document (@asyncapi/parser)",
  faults: async () => await asyncApiFaults(await readRepositoryFile(file)),
};

import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { Check } from "./check.ts";
import { readRepositoryFile } from "./repository.ts";

const file = "docs/operate/openapi.json";

/** A fault that stays: the rule, the place in the document, and why. */
interface Exception {
  readonly rule: string;
  readonly at: string;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    rule: "no-ambiguous-paths",
    at: "#/paths/~1api~1files~1{id}~1deletion",
    why: "Only /api/files/limits/deletion fits both paths, and `limits` is no id of a file.",
  },
  {
    rule: "operation-2xx-response",
    at: "#/paths/~1api~1oauth2~1callback~1{name}/get/responses",
    why: "It always answers a browser on its way back from the provider, with a redirect.",
  },
  {
    rule: "operation-2xx-response",
    at: "#/paths/~1api~1oauth2~1login~1{name}/get/responses",
    why: "It always sends the browser to the provider, with a redirect.",
  },
];

/** Beyond the strict set of the linter. Its other rules are about style, such as plural path segments. */
const moreRules = {
  "array-parameter-serialization": "error",
  "component-name-unique": "error",
  "no-invalid-parameter-examples": "error",
  "no-invalid-schema-examples": "error",
  "no-required-schema-properties-undefined": "error",
  "operation-4xx-problem-details-rfc7807": "error",
  "operation-description": "error",
  "path-params-defined": "error",
  "spec-strict-refs": "error",
} as const;

/** What the linter reports on this document, and each exception that it no longer needs. */
export async function openApiFaults(source: string, allowed: readonly Exception[] = exceptions): Promise<readonly string[]> {
  const config = await createConfig({ extends: ["recommended-strict"], rules: moreRules });
  const problems = await lintFromString({ source, absoluteRef: file, config });
  const found = problems.map(({ ruleId, message, location }) => ({ rule: ruleId, at: location[0]?.pointer ?? "", message }));
  const fits = (fault: { rule: string; at: string }) => (one: Exception) => one.rule === fault.rule && one.at === fault.at;
  const faults = found.filter((fault) => !allowed.some(fits(fault)));
  const idle = allowed.filter((one) => !found.some((fault) => fits(fault)(one)));
  return [
    ...faults.map(({ rule, at, message }) => `${file}${at} ${rule}: ${message}`),
    ...idle.map(({ rule, at }) => `${file}${at} ${rule}: nothing is wrong here any more, delete the exception`),
  ];
}

export const check: Check = {
  name: "OpenAPI document (@redocly/openapi-core)",
  faults: async () => await openApiFaults(await readRepositoryFile(file)),
};

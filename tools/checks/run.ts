import { check as asyncapi } from "./asyncapi.ts";
import { check as browser103 } from "./browser103.ts";
import type { Check } from "./check.ts";
import { check as openapi } from "./openapi.ts";
import { check as sdk } from "./sdk.ts";
import { check as shell } from "./shell.ts";

const checks: readonly Check[] = [openapi, asyncapi, sdk, shell, browser103];

for (const { name, faults } of checks) {
  const found = await faults();
  process.stdout.write(`${name}: ${found.length === 0 ? "passed" : `${found.length} faults`}\n`);
  for (const fault of found) process.stderr.write(`  ${fault}\n`);
  if (found.length > 0) process.exitCode = 1;
}

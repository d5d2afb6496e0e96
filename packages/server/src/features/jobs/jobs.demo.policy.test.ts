import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { JobProperties } from "./jobs.contract.ts";
import { demoProperties } from "./jobs.demo.policy.ts";

test("what jobs of the demo city have on their overview could have been written by people", () => {
  for (const { radioFrequency, message, links } of demoProperties) {
    const properties = { colour: null, radioFrequency, message, links: [...links] };
    expect(Value.Check(JobProperties, properties), message).toBe(true);
    expect(message).not.toBe("");
    expect(links.length).toBeGreaterThan(0);
  }
});

import { expect, test } from "vitest";
import { defineStateMachine } from "../../packages/server/src/core/contract/index.ts";
import { features } from "../../packages/server/src/app/features.ts";
import { generator, sectionOf } from "./machines.ts";

const lamp = defineStateMachine({
  id: "house.lamp",
  initial: "off",
  states: ["off", "broken"],
  transitions: [
    { event: "dust", from: ["off"] },
    { event: "drop", from: ["off"], to: "broken" },
  ],
});

test("a machine is shown with the meaning of its states, what each event leads to, and what is final", () => {
  const texts = {
    name: "Lamps",
    states: { off: "Dark | ready.", broken: "Gone." },
    events: { dust: "Somebody cleans it.", drop: "It falls." },
  };
  expect(sectionOf(lamp, texts)).toBe(`## Lamps (\`house.lamp\`)

| state | what it means | event | next state |
| --- | --- | --- | --- |
| \`off\` (first) | Dark \\| ready. | \`dust\` | stays |
|  |  | \`drop\` | \`broken\` |
| \`broken\` | Gone. | none: it is final |  |

| event | what it is |
| --- | --- |
| \`dust\` | Somebody cleans it. |
| \`drop\` | It falls. |
`);
});

test("the page has a section for every machine of every feature", async () => {
  const page = (await generator.outputs())["docs/operate/state-machines.md"] ?? "";
  const ids = features.flatMap(({ contract }) => (contract.machines ?? []).map(({ id }) => id));
  expect(ids).toContain("accounts.standing");
  for (const id of ids) expect(page).toContain(`(\`${id}\`)`);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "#core/random.ts";
import { testedKinds } from "#testkit/database.ts";
import { asInProgram, sequence } from "./assignments.run.testkit.ts";
import { Stage } from "./assignments.stage.testkit.ts";
import { drawWorld } from "./assignments.world.model.testkit.ts";

const sequences = 6 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = Number(process.env["ROLLCALL_TEST_SEED"] ?? 20_261_128);
const length = 25;

const randomOf = (number: number) => {
  const random = createRandom(number);
  return () => random.next();
};

describe.each(testedKinds)("calls, assignments and units over any sequence (%s)", (kind) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(kind, asInProgram(drawWorld(randomOf(seed))));
  }, 60_000);
  afterAll(async () => await stage?.close());

  test(`are what the tables say (${sequences} sequences of ${length})`, { timeout: 60_000 + sequences * 10_000 }, async () => {
    for (let at = 0; at < sequences; at += 1) {
      const random = randomOf(seed + at);
      const differs = await sequence(stage, drawWorld(random), random, length);
      expect(differs, `ROLLCALL_TEST_SEED=${seed + at}`).toBeNull();
    }
  });
});

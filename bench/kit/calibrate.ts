import { createHash } from "node:crypto";
import { percentile } from "./stats.ts";

/** Duration of the loop on the reference machine of the ceilings. Milliseconds. */
const referenceMs = 32;

function loop(): number {
  const started = performance.now();
  const seen = new Map<string, number>();
  let sum = 0;
  for (let i = 0; i < 40_000; i++) {
    const text = JSON.stringify({ id: i, name: `citizen ${i % 977}`, tags: [i % 7, i % 11] });
    const parsed = JSON.parse(text) as { id: number; name: string };
    seen.set(parsed.name, (seen.get(parsed.name) ?? 0) + parsed.id);
    if (i % 8 === 0) sum += createHash("md5").update(text).digest()[0]!;
  }
  if (sum === 0 || seen.size !== 977) throw new Error("the calibration loop did not run");
  return performance.now() - started;
}

/**
 * How much slower than the reference this machine is: ceilings in milliseconds are multiplied by it.
 * `sample` runs the loop once; a row calls it from time to time, so that a busy machine counts as a
 * slow one. Never below 1.
 */
export function createCalibration() {
  const samples: number[] = [];
  loop();
  const sample = () => void samples.push(loop());
  for (let i = 0; i < 5; i++) sample();
  return { sample, slowness: () => Math.max(1, percentile(samples, 0.5) / referenceMs) };
}

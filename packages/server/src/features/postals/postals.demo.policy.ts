import type { DemoCity } from "#core/demo.ts";
import type { Postal } from "./postals.contract.ts";

const rounded = (metres: number) => Math.round(metres * 10) / 10;

/** One at each crossing: the hundreds are its row, counted from the south, the rest is its place in it. */
export function demoPostals({ crossings }: Pick<DemoCity, "crossings">): Postal[] {
  return crossings.flatMap((row, fromSouth) =>
    row.map(({ x, y }, fromWest) => {
      return { code: String((fromSouth + 1) * 100 + fromWest + 1), x: rounded(x), y: rounded(y) };
    }),
  );
}

import { build } from "./build.ts";

/** Browser and SDK tests run the built program, also when vitest is started without `npm test`. */
export async function setup(): Promise<void> {
  await build({ onlyIfStale: true });
}

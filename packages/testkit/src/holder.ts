import { type Commanded, startCommanded } from "./commanded.ts";
import type { HolderEvent, HolderOrder } from "./holder.fixture.ts";

export type Holder = Commanded<HolderEvent>;

export function startHolder(order: HolderOrder): Holder {
  return startCommanded("holder.fixture.ts", order);
}

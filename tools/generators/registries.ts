import { generator as features } from "./features.ts";
import { generator as fileKinds } from "./filekinds.ts";
import type { Generator } from "./generator.ts";
import { generator as pages } from "./pages.ts";
import { generator as syncKinds } from "./synckinds.ts";

/** The lists that the program is composed of. They are written before the other generators are loaded, which import them. */
export const registries: readonly Generator[] = [features, pages, syncKinds, fileKinds];

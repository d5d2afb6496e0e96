import type { Sight } from "./sight.ts";

export const sights: readonly Sight[] = [];

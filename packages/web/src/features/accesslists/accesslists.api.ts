// The parts of this feature that others may use.
import { withTexts } from "#core/i18n.ts";
export type { Entries } from "./editor.tsx";
export const loadAccessEditor = withTexts(["accesslists", "citizens"], async () => await import("./editor.tsx"));
export const loadAccessExplain = withTexts(["accesslists", "citizens"], async () => await import("./explain.tsx"));

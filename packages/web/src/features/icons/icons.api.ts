// The parts of this feature that others may use.
import { withTexts } from "#core/i18n.ts";
export const loadIconPicker = withTexts(["icons"], async () => await import("./picker.tsx"));

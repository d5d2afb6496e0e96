// The parts of this feature that others may use.
import { part } from "#core/part.ts";
import type { SearchDialogProps } from "./search.dialog.tsx";

export const SearchDialog = part<SearchDialogProps>([], () => import("./search.dialog.tsx"));

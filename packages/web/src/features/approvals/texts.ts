import type { Translate } from "#core/i18n.ts";
import { textOf } from "#core/messages.ts";
import type { Approval } from "./approvals.queries.ts";

/** A text of the kind of a request: its label, its title or what it is about. */
export function kindText(t: Translate, kind: string, part: "label" | "title" | "text", params: Approval["params"] = {}): string {
  const [feature = "", name = ""] = kind.split(".", 2);
  return textOf(t, `${feature}.approvals.${name}.${part}`, params) ?? kind;
}

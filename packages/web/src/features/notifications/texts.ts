import type { Translate } from "#core/i18n.ts";
import { permissionName } from "#core/messages.ts";
import { namesText } from "#ui/names.ts";

function textOf(
  t: Translate,
  kind: string,
  part: "title" | "text" | "label" | `permissions.${string}`,
  params: Readonly<Record<string, string | number>>,
): string | null {
  const [feature, ...name] = kind.split(".");
  const text: unknown = t(`${feature}.notifications.${name.join(".")}.${part}`, { ...params, defaultValue: "" });
  return typeof text === "string" && text !== "" ? text : null;
}

/** The sentences of a kind about permissions, in the order of its params. */
function permissionTexts(t: Translate, kind: string, params: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(params).flatMap(([param, value]) => {
    if (typeof value !== "string" || value === "") return [];
    const ids = value.split(" ");
    const count = Number(params[`${param}Count`] ?? ids.length);
    const names = namesText(
      t,
      ids.map((id) => permissionName(t, id)),
      count,
      ids.length,
    );
    return textOf(t, kind, `permissions.${param}`, { ...params, names }) ?? [];
  });
}

interface Shown {
  readonly kind: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly count: number;
}

/**
 * The title and text of a notification; the kind itself as title when it has no text in this version. Texts in
 * plural forms follow `count`: that of the params, or how many the notification stands for.
 */
export function textsOf(t: Translate, { kind, params: own, count }: Shown) {
  const params = { count, ...own };
  const sentences = [textOf(t, kind, "text", params) ?? [], permissionTexts(t, kind, params)].flat();
  return { title: textOf(t, kind, "title", params) ?? kind, text: sentences.length === 0 ? null : sentences.join(" ") };
}

/** The name of a kind in the preferences. */
export function labelOf(t: Translate, kind: string): string {
  return textOf(t, kind, "label", {}) ?? kind;
}

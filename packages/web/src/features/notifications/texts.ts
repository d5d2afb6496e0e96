import type { Translate } from "#core/i18n.ts";

function textOf(
  t: Translate,
  kind: string,
  part: "title" | "text" | "label",
  params: Readonly<Record<string, string | number>>,
): string | null {
  const [feature, ...name] = kind.split(".");
  const text: unknown = t(`${feature}.notifications.${name.join(".")}.${part}`, { ...params, defaultValue: "" });
  return typeof text === "string" && text !== "" ? text : null;
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
  return { title: textOf(t, kind, "title", params) ?? kind, text: textOf(t, kind, "text", params) };
}

/** The name of a kind in the preferences. */
export function labelOf(t: Translate, kind: string): string {
  return textOf(t, kind, "label", {}) ?? kind;
}

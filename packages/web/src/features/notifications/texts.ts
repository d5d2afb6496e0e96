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

/** The title and text of a notification; the kind itself as title when it has no text in this version. */
export function textsOf(t: Translate, { kind, params }: { kind: string; params: Readonly<Record<string, string | number>> }) {
  return { title: textOf(t, kind, "title", params) ?? kind, text: textOf(t, kind, "text", params) };
}

/** The name of a kind in the preferences. */
export function labelOf(t: Translate, kind: string): string {
  return textOf(t, kind, "label", {}) ?? kind;
}

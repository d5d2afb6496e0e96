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

/** What happened, in the viewer's words; the kind itself when this version has none for it. */
export function wordsOf(t: Translate, { kind, params }: { kind: string; params: Readonly<Record<string, string | number>> }) {
  return { title: textOf(t, kind, "title", params) ?? kind, text: textOf(t, kind, "text", params) };
}

/** What the preferences call a kind. */
export function labelOf(t: Translate, kind: string): string {
  return textOf(t, kind, "label", {}) ?? kind;
}

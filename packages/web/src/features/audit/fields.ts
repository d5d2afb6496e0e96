import type { Translate } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { isRecord, Problem } from "#core/problem.ts";
import { absoluteTime } from "#core/time.ts";
import { problemMessage, textOf } from "#core/messages.ts";
import { leaves } from "./changes.ts";

/** A permission, a kind of notification or an action: names that contain a dot. */
function dottedText(t: Translate, feature: string, name: string): string | null {
  return textOf(t, `${feature}.permissions.${name}`) ?? textOf(t, `${feature}.notifications.${name}.label`);
}

/** The text of a name in entries of an action: that of the action's feature, else the common one. */
function ownText(t: Translate, action: string, kind: "fields" | "values", name: string): string | null {
  const [feature = ""] = action.split(".", 1);
  return textOf(t, `${feature}.panel.${kind}.${name}`) ?? textOf(t, `audit.${kind}.${name}`);
}

/** The path of a value that `action` changed as text: `citizens.list.allow` is `List and search citizens › Allowed`. */
export function fieldText(t: Translate, path: string, action: string): string {
  const setting = textOf(t, `settings.fields.${path}`);
  if (setting !== null) return setting;
  const names = path.split(".");
  const parts: string[] = [];
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at]!;
    const dotted = names[at + 1] === undefined ? null : dottedText(t, name, names[at + 1]!);
    if (dotted !== null) at += 1;
    parts.push(dotted ?? (/^\d+$/.test(name) ? String(Number(name) + 1) : (ownText(t, action, "fields", name) ?? name)));
  }
  return parts.join(" › ");
}

/** Numbers above this are instants in milliseconds, not counts. */
const INSTANT = 1_500_000_000_000;
/** Channels of notifications. */
const CHANNELS = new Set(["bell", "toast", "sound", "game"]);
/** Fields whose values are internal names that need a text. */
const NAMED = /(?:^|\.)(?:why|method|outcome|kind|subject|level|tone)$/;

export function valueText(t: Translate, language: Language, path: string, value: unknown, action: string): string {
  if (value === null || value === "") return t("audit.nothingThere");
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  if (typeof value === "number") return value > INSTANT ? absoluteTime(value, language) : String(value);
  if (value === "[hidden]") return t("audit.hidden");
  if (Array.isArray(value)) return value.length === 0 ? t("audit.nothingThere") : value.map(String).join(", ");
  // A right without attributes, as in the limits of a job.
  if (typeof value !== "string") return t("audit.yes");
  const parts = value.split(", ");
  if (parts.every((part) => CHANNELS.has(part))) return parts.map((part) => t(`notifications.channels.${part}`)).join(", ");
  return (NAMED.test(path) ? ownText(t, action, "values", value) : null) ?? value;
}

/** The details of an entry other than before and after; a refusal or failure as its message. */
export function infoFacts(t: Translate, language: Language, info: unknown, action: string): { label: string; value: string }[] {
  if (isRecord(info) && typeof info["code"] === "string") {
    const { code, ...params } = info;
    return [{ label: t("audit.fields.why"), value: problemMessage(t, new Problem(code, 0, { params })) }];
  }
  return leaves(info).map(([path, value]) => ({
    label: fieldText(t, path, action),
    value: valueText(t, language, path, value, action),
  }));
}

import type { Translate } from "#core/i18n.ts";
import type { Problem } from "#core/problem.ts";

/** The text of a key, or null when no language file has it. */
export function textOf(t: Translate, key: string, params: Record<string, unknown> = {}): string | null {
  const text: unknown = t(key, { ...params, defaultValue: "" });
  return typeof text === "string" && text !== "" ? text : null;
}

/** The name of a permission such as `citizens.list`; fields in brackets after it are dropped. */
export function permissionName(t: Translate, permission: string): string {
  const [id = permission] = permission.split(" ");
  const [feature, ...rest] = id.split(".");
  return textOf(t, `${feature}.permissions.${rest.join(".")}`) ?? id;
}

/** The message for a failed call, in the viewer's language. */
export function problemMessage(t: Translate, problem: Problem): string {
  const [feature, ...rest] = problem.code.split(".");
  const params: Record<string, string | number> = { ...problem.params };
  if (typeof params["permission"] === "string")
    params["permission"] = t("web.quoted", { text: permissionName(t, params["permission"]) });
  if (typeof params["field"] === "string") params["field"] = textOf(t, `${feature}.fields.${params["field"]}`) ?? params["field"];
  if (typeof params["reason"] === "string") params["reason"] = textOf(t, params["reason"]) ?? params["reason"];
  const known = textOf(t, `${feature}.errors.${rest.join(".")}`, params);
  return known ?? t("web.errors.unknown", { code: problem.code });
}
